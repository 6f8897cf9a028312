//! Kinds of transitions, against all permutations tried one by one.

use super::*;
use crate::session::glance::Target;
use crate::value::{Permutation, Shape, Value};

/// The values that tell a transition apart: arguments, results, the new state.
fn told(animator: &mut Animator, i: usize) -> Vec<(Shape, Value)> {
    let instance = animator.model().program.instance.clone();
    let enabled = animator.enabled().clone();
    let label = enabled.label(&instance, i).unwrap();
    let mut values = Vec::new();
    if let Event::Operation(id) = label.event {
        let operation = instance.machine.operation(id);
        let locals = operation.parameters.iter().chain(&operation.results);
        let all = label.arguments.into_iter().chain(label.results);
        values.extend(locals.zip(all).map(|(id, v)| (instance.local_shape(*id), v)));
    }
    values.extend(position_of(animator, &enabled.position(i).unwrap()));
    values
}

fn position_of(animator: &mut Animator, position: &Position) -> Vec<(Shape, Value)> {
    let instance = animator.model().program.instance.clone();
    let values = match position {
        Position::Root => Vec::new(),
        Position::SetUp(constants) => constants.clone(),
        Position::State(state) => {
            let mut values = animator.evaluator().constants(state).to_vec();
            values.extend(animator.evaluator().variables(state));
            values
        }
    };
    let machine = &instance.machine;
    let globals = machine.constants.iter().chain(&machine.variables);
    globals.map(|g| instance.shape(&g.ty)).zip(values).collect()
}

fn image(of: &[(Shape, Value)], by: &Permutation) -> Vec<Value> {
    of.iter().map(|(shape, value)| by.apply(shape, value)).collect()
}

fn bare(of: &[(Shape, Value)]) -> Vec<Value> {
    of.iter().map(|(_, value)| value.clone()).collect()
}

/// Steps of several outcomes, arguments that are sets, and pairs that are not of one kind.
const GAMES: &str = "\
MACHINE games
SETS Player; Side = {red, blue}
VARIABLES in, side, got
INVARIANT in <: Player & side : Player +-> Side & got : POW(Player)
INITIALISATION in :: {ss | ss <: Player & card(ss) <= 1} || side := {} || got := {}
OPERATIONS
  join(p, c) = PRE p : Player - in & c : Side THEN in := in \\/ {p} || side(p) := c END;
  pick = ANY p WHERE p : in THEN got := {p} END;
  some(ps) = PRE ps <: Player & card(ps) = 2 THEN got := ps END;
  q <-- other(p) = PRE p : in THEN q :: Player - {p} END;
  swap(p) = PRE p : Player & in /= {} & p /: in THEN in := {p} || side := {} || got := {} END
END
";

#[test]
fn kinds_are_the_orbits_of_all_automorphisms() {
    let (mut seen, mut folded) = (0, 0);
    for (text, cards) in [(TOKENS, vec![("Token", 2), ("Place", 3)]), (GAMES, vec![("Player", 4)])]
    {
        let cards = cards.into_iter().map(|(name, n)| (name.to_owned(), n)).collect();
        let origin = Origin::Embedded { name: "m.mch".to_owned(), text: text.to_owned() };
        let setup = SetupOptions { cards, static_symmetry: false, ..SetupOptions::default() };
        let session = Session::open(origin, setup);
        assert!(session.diagnostics().is_empty(), "{:?}", session.diagnostics());
        for walk in 0..6_usize {
            let mut animator = session.animator().unwrap();
            for step in 0..5 {
                let at = animator.position().clone();
                let here = position_of(&mut animator, &at);
                let group = animator.model().group.clone();
                let own: Vec<Permutation> =
                    group.all().filter(|p| image(&here, p) == bare(&here)).collect();
                let n = animator.enabled().len();
                let all: Vec<_> = (0..n).map(|i| told(&mut animator, i)).collect();
                let kinds = animator.kinds();
                for i in 0..n {
                    let alike: Vec<u32> = (0..n)
                        .filter(|j| {
                            animator.enabled().operation(i) == animator.enabled().operation(*j)
                        })
                        .filter(|j| own.iter().any(|p| image(&all[i], p) == bare(&all[*j])))
                        .map(|j| j as u32)
                        .collect();
                    let kind = kinds.as_ref().and_then(|kinds| kinds.of(i));
                    let members = kind.map_or(vec![i as u32], |kind| kind.members.clone());
                    assert_eq!(members, alike, "{i} of {:?}", labels(&mut animator));
                    (seen, folded) = (seen + 1, folded + usize::from(alike.len() > 1));
                }
                if n == 0 || !animator.step((walk * 7 + step * 3) % n) {
                    break;
                }
            }
        }
    }
    assert!(seen > 500 && folded > 200, "{seen} {folded}");
}

/// What is seen of a transition is what is so after it.
#[test]
fn glances_tell_what_a_step_shows() {
    let origin = Origin::Embedded { name: "m.mch".to_owned(), text: GAMES.to_owned() };
    let setup = SetupOptions { cards: vec![("Player".to_owned(), 3)], ..SetupOptions::default() };
    let session = Session::open(origin, setup);
    let mut animator = session.animator().unwrap();
    let mut targets = Vec::new();
    for step in 0..12 {
        let n = animator.enabled().len();
        let numbers: Vec<usize> = (0..n).collect();
        let mut glances = Vec::new();
        while glances.len() < n {
            glances.extend(animator.glances(&numbers[glances.len()..]));
        }
        let at = animator.position().clone();
        let from = position_of(&mut animator, &at);
        let group = animator.model().group.clone();
        for (i, glance) in glances {
            let target = animator.enabled().position(i).unwrap();
            let to = position_of(&mut animator, &target);
            let orbit = group.all().any(|p| image(&from, &p) == bare(&to));
            let wanted = match () {
                () if target == *animator.position() => Target::Same,
                () if orbit && !from.is_empty() => Target::Orbit,
                () if animator.tree().has(&target) => Target::Seen,
                () => Target::New,
            };
            assert_eq!(glance.target, wanted, "{i} of {:?}", labels(&mut animator));
            let step = animator.label(i).unwrap();
            if matches!(step.label.event, Event::Operation(_)) {
                let text = StepText::of(&animator.model().instance, &step);
                let told = glance.changes.iter().map(|c| (c.name.clone(), c.value.clone()));
                assert_eq!(told.collect::<Vec<_>>(), text.changed);
            }
            targets.push(glance.target);
        }
        animator.step((step * 5 + 1) % n);
    }
    for target in [Target::Same, Target::Orbit, Target::Seen, Target::New] {
        assert!(targets.contains(&target), "{target:?}");
    }
}

#[test]
fn transitions_are_sifted_by_predicates_about_their_arguments() {
    let mut animator = animator();
    animator.step(0);
    animator.step(0);
    let mut left = |text: &str| match animator.sift(text) {
        Ok(found) => {
            let all = labels(&mut animator);
            found.numbers.iter().map(|i| all[*i].clone()).collect::<Vec<_>>().join(" ")
        }
        Err(why) => why.to_string(),
    };
    assert_eq!(left("t = Token2 & p /= Place2"), "put(Token2,Place1) put(Token2,Place3)");
    assert_eq!(
        left("t : dom({Token1 |-> Place3})"),
        "put(Token1,Place1) put(Token1,Place2) put(Token1,Place3)"
    );
    assert_eq!(left("t : dom(lies)"), "");
    assert_eq!(left("x = Token1"), "no operation has such parameters: x");
    assert_eq!(left("t = Place1"), "no operation has such parameters: t");
    assert_eq!(left("lies = {}"), "it mentions no parameter of an operation");
    assert_eq!(left("card(lies)"), "it mentions no parameter of an operation");
    assert!(!left("t = ").is_empty());
}
