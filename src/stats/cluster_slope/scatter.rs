//! The points behind a slope, thinned for a picture.

use serde::{Deserialize, Serialize};

/// Points in clusters: some of them as they are, and the centre of all, through which the fitted line goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scatter {
    /// Clusters with points.
    pub clusters: u64,
    /// Of these every so many, from the first, is kept below.
    pub every: u64,
    /// The mean of x and of y over all points.
    pub centre: [f64; 2],
    /// The points (x, y) of the clusters that are kept, by rising x.
    pub points: Vec<Vec<[f64; 2]>>,
}

impl Scatter {
    /// Keeps every k-th cluster with points, k the smallest that leaves at most `most` points; of a first cluster that is larger
    /// by itself, its first points. None without a point.
    #[must_use]
    pub fn of(clusters: &[Vec<[f64; 2]>], most: usize) -> Option<Self> {
        let filled: Vec<&Vec<[f64; 2]>> = clusters.iter().filter(|it| !it.is_empty()).collect();
        let kept = |every: usize| filled.iter().step_by(every).map(|it| it.len()).sum::<usize>();
        let every = (1..=filled.len()).find(|k| kept(*k) <= most).unwrap_or(filled.len());
        if every == 0 {
            return None;
        }
        let all = || filled.iter().copied().flatten();
        let n = all().count() as f64;
        let centre = [0, 1].map(|k| all().map(|it| it[k]).sum::<f64>() / n);
        let rising = |cluster: &&Vec<[f64; 2]>| {
            let mut points: Vec<[f64; 2]> = cluster.iter().take(most).copied().collect();
            points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
            points
        };
        Some(Self {
            clusters: filled.len() as u64,
            every: every as u64,
            centre,
            points: filled.iter().step_by(every).map(rising).collect(),
        })
    }

    /// The value at `x` of the line of this slope through the centre of all points.
    #[must_use]
    pub fn at(&self, slope: f64, x: f64) -> f64 {
        self.centre[1] + slope * (x - self.centre[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_so_many_clusters_are_kept_and_the_centre_is_that_of_all() {
        // Cluster k holds (1, k) and (0, k): the centre is (1/2, 9/2).
        let clusters: Vec<_> =
            (0..10).map(|k| vec![[1.0, f64::from(k)], [0.0, f64::from(k)]]).collect();
        let it = Scatter::of(&clusters, 8).unwrap();
        assert_eq!((it.clusters, it.every, it.centre), (10, 3, [0.5, 4.5]));
        let kept: Vec<f64> = it.points.iter().map(|it| it[0][1]).collect();
        assert_eq!(kept, [0.0, 3.0, 6.0, 9.0]);
        assert!(it.points.iter().all(|it| it[0][0] < it[1][0]));
        assert_eq!(it.at(2.0, 1.5), 6.5);
        assert_eq!(Scatter::of(&clusters, 20).unwrap().every, 1);
    }

    #[test]
    fn empty_and_huge_clusters() {
        assert_eq!(Scatter::of(&[], 5), None);
        assert_eq!(Scatter::of(&[vec![], vec![]], 5), None);
        let it = Scatter::of(&[vec![], vec![[0.0, 1.0]; 30], vec![[0.0, 4.0]; 10]], 5).unwrap();
        assert_eq!((it.clusters, it.every, it.centre[1]), (2, 2, 1.75));
        assert_eq!(it.points.iter().map(Vec::len).collect::<Vec<_>>(), [5]);
    }
}
