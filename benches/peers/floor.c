/* What one core can do with the power study of self-preference when nothing is asked of the random numbers: a counter
 * hashed once for the four verdicts of a pair, 16-bit thresholds, the z test. No address, no seed per decision, no ties,
 * no evidence kept. Prints ns a decision, best of some runs. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { PAIRS = 140, REPLICATES = 10000, RUNS = 15 };

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t hash(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

static uint32_t threshold(double log_odds) { return (uint32_t)lrint(65536.0 / (1.0 + exp(-log_odds))); }

int main(void) {
  static uint32_t own[PAIRS], third[PAIRS];
  for (int i = 0; i < PAIRS; i++) {
    double gap = 2.0 * (i + 0.5) / PAIRS - 1.0;
    own[i] = threshold(2.5 * gap + 0.5);
    third[i] = threshold(2.5 * gap);
  }
  double best = 1e9;
  int rejected = 0;
  for (int run = 0; run < RUNS; run++) {
    double start = seconds();
    rejected = 0;
    for (int r = 0; r < REPLICATES; r++) {
      int sum = 0, squares = 0;
      for (int i = 0; i < PAIRS; i++) {
        uint64_t w = hash((uint64_t)r * PAIRS + (uint64_t)i + 1);
        int gap = (int)((w & 0xffff) < own[i]) + (int)((w >> 16 & 0xffff) < own[i]) - (int)((w >> 32 & 0xffff) < third[i]) -
                  (int)((w >> 48) < third[i]);
        sum += gap;
        squares += gap * gap;
      }
      double variance = (squares - (double)sum * sum / PAIRS) / (PAIRS - 1);
      rejected += fabs((double)sum) > 1.96 * sqrt(variance * PAIRS);
    }
    double time = seconds() - start;
    best = time < best ? time : best;
  }
  printf("%-34s%10.2f   power %.3f\n", "C, counter hash (the floor)", best / (4.0 * PAIRS * REPLICATES) * 1e9,
         (double)rejected / REPLICATES);
  return 0;
}
