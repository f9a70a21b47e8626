mod null_space;

use std::sync::Arc;

use super::*;
use crate::evidence::Gold;
use crate::judges::{Judge, Pairwise};
use crate::protocol::{Combine, Lean, Opinion, Seat, Taste};
use crate::quantity::LogOdds;
use crate::world::{Answer, Case, Gap, Kind, Length, Marks, World};

/// By case: the difference and log2 of the length ratio.
fn design(asked: Asked, cases: &[(f64, f64)], judges: Vec<Pairwise>) -> Design {
    let systems = ["A", "B"].map(|name| Answer { system: name.into(), family: name.into() });
    let kind = |(gap, length): &(f64, f64)| Kind {
        gap: Gap::Fixed { gap: *gap, gold: Gold::of(*gap, 0.0) },
        length: Length::Fixed(*length),
        marks: Marks::default(),
    };
    let kinds: Vec<Kind> = cases.iter().map(kind).collect();
    let cases = (0..kinds.len()).map(|kind| Case { id: kind.to_string(), kind }).collect();
    let seat = |(k, judge): (usize, Pairwise)| Seat {
        name: k.to_string().into(),
        judge: Arc::new(judge),
        taste: Taste::None,
        opinion: Opinion::Own(k.to_string().into()),
        lean: Lean::At(0.0),
    };
    Design {
        world: Arc::new(World { systems, kinds, cases, strata: Vec::new() }),
        seats: judges.into_iter().enumerate().map(seat).collect(),
        protocol: Protocol { asked, repeats: 1, combine: Combine::Each },
    }
}

fn odds(x: f64) -> LogOdds {
    LogOdds::new(x).unwrap()
}

fn own() -> Pairwise {
    Pairwise { ability: odds(1.0), own: Some("A".to_owned()), ..Pairwise::default() }
}

/// Which answer is longer and which is better vary apart.
const MIXED: [(f64, f64); 4] = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];

fn standing(of: &Design, gold: bool, bias: Bias) -> Standing {
    standings(of, gold).unwrap().into_iter().find(|it| it.bias == bias).unwrap()
}

#[test]
fn a_swap_test_identifies_the_position_and_nothing_else() {
    let swap = design(Asked::Both, &MIXED, vec![own()]);
    assert_eq!(standing(&swap, false, Bias::Position).aliased, [""; 0]);
    let length = standing(&swap, false, Bias::Length);
    assert_eq!((length.aliased, length.remedy), (vec![BETTER_EACH], Some(Remedy::PaddedTwins)));
    let own = standing(&swap, false, Bias::Own);
    assert_eq!((own.aliased, own.remedy), (vec![BETTER_EACH], Some(Remedy::ThirdParty)));
    // With labels all three are told apart.
    for bias in [Bias::Position, Bias::Length, Bias::Own] {
        assert_eq!(standing(&swap, true, bias).aliased, [""; 0], "{bias:?}");
    }
}

#[test]
fn one_order_tells_a_position_from_nothing() {
    let one = design(Asked::One, &MIXED, vec![own()]);
    let it = standing(&one, false, Bias::Position);
    assert_eq!(
        (it.aliased, it.remedy),
        (vec![Bias::Own.name(), BETTER_EACH], Some(Remedy::OtherOrder))
    );
    // A random order tells it from which system is better, on average over pairs.
    let random = design(Asked::Random, &MIXED, vec![own()]);
    assert_eq!(standing(&random, false, Bias::Position).aliased, [""; 0]);
}

#[test]
fn what_never_varies_apart_is_aliased_whatever_the_labels() {
    // The first system's answer is always twice as long: its length and its author are one.
    let cases = [(1.0, 1.0), (-1.0, 1.0)];
    let swap = design(Asked::Both, &cases, vec![own()]);
    let it = standing(&swap, true, Bias::Own);
    assert_eq!((it.aliased, it.remedy), (vec![Bias::Length.name()], Some(Remedy::PaddedTwins)));
    // The first system is always better: labels say no more than its name.
    let swap = design(Asked::Both, &[(1.0, 0.0)], vec![own()]);
    assert_eq!(standing(&swap, true, Bias::Own).aliased, [BETTER]);
}

#[test]
fn a_third_party_identifies_self_preference() {
    let swap = design(
        Asked::Both,
        &MIXED,
        vec![own(), Pairwise { ability: odds(1.0), ..Pairwise::default() }],
    );
    assert_eq!(standing(&swap, false, Bias::Own).aliased, [""; 0]);
    assert!(!standing(&swap, false, Bias::Length).aliased.is_empty());
}

/// The probability of every pair of answers, by case.
fn likelihood(of: &Design) -> Vec<f64> {
    let book = of.codebook(&[]).unwrap();
    let mut all = Vec::new();
    for case in 0..of.world.cases.len() {
        let mut law = vec![0.0; book.size() as usize];
        of.law(&book, case, &mut |code, p| law[code as usize] += p);
        all.extend(law);
    }
    all
}

#[track_caller]
fn same(a: &Design, b: &Design) {
    let apart =
        likelihood(a).iter().zip(likelihood(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-14, "{apart}");
}

/// What is called aliased: two truths, one likelihood. What is called identified: another truth, another likelihood.
#[test]
fn aliased_truths_share_a_likelihood() {
    // Position against which answer is better, in one order.
    let one = |position: f64, shift: f64| {
        let cases: Vec<(f64, f64)> = MIXED.iter().map(|it| (it.0 + shift, it.1)).collect();
        design(Asked::One, &cases, vec![Pairwise { position: odds(position), ..own() }])
    };
    same(&one(0.7, 0.0), &one(0.2, 0.5));
    // Length against which answer is better, in both orders.
    let both = |length: f64| {
        let cases: Vec<(f64, f64)> = MIXED.iter().map(|it| (it.0 - length * it.1, it.1)).collect();
        design(Asked::Both, &cases, vec![Pairwise { length: odds(length), ..own() }])
    };
    same(&both(0.0), &both(0.3));
    // Length against self-preference, where the own answer is always twice as long.
    let longer = |length: f64, preference: f64| {
        let judge = Pairwise { length: odds(length), self_preference: odds(preference), ..own() };
        design(Asked::Both, &[(1.0, 1.0), (-1.0, 1.0)], vec![judge])
    };
    same(&longer(0.5, 0.0), &longer(0.0, 0.5));
    // The swap test identifies the position.
    let swap = |position: f64| {
        design(Asked::Both, &MIXED, vec![Pairwise { position: odds(position), ..own() }])
    };
    assert!(
        likelihood(&swap(0.0))
            .iter()
            .zip(likelihood(&swap(0.3)))
            .any(|(a, b)| 1e-3 < (a - b).abs())
    );
}

#[test]
fn judges_that_weigh_no_contrasts_have_no_standings() {
    let mut it = design(Asked::Both, &MIXED, vec![own()]);
    let scripted = crate::judges::Scripted { says: crate::judges::Says::First };
    it.seats[0].judge = Arc::new(scripted) as Arc<dyn Judge>;
    assert_eq!(standings(&it, false), None);
}
