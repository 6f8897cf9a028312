//! Machines made of parts that run beside each other and meet now and then: counters, processes, chains in
//! which each operation enables the next, toggles that never stop, and what brings them together. What is
//! asked is about several of them, so that the order of their steps decides.

use crate::generate::Dice;

/// A part with variables of its own.
#[derive(Default)]
struct Part {
    variables: Vec<String>,
    typing: Vec<String>,
    initial: Vec<String>,
    /// Name, parameters, guard and body.
    operations: Vec<(String, &'static str, String, String)>,
    /// Conditions that hold at some time.
    stages: Vec<String>,
    /// What takes it back to its beginning.
    reset: String,
}

fn part(kind: usize, n: usize, dice: &mut Dice) -> Part {
    let mut part = Part::default();
    let v = format!("v{n}");
    let mut operation = |name: &str, parameters, guard: String, body: String| {
        part.operations.push((format!("{name}{n}"), parameters, guard, body));
    };
    let (typing, initial) = match kind {
        0 => {
            let k = 1 + dice.below(2);
            operation("count", "", format!("{v} < {k}"), format!("{v} := {v} + 1"));
            if dice.below(3) == 0 {
                operation("back", "", format!("{v} > 0"), format!("{v} := {v} - 1"));
            }
            part.stages = (0..=k).map(|i| format!("{v} = {i}")).collect();
            part.reset = format!("{v} := 0");
            (format!("{v} : INTEGER"), format!("{v} := 0"))
        }
        1 => {
            for i in 0..2 {
                let body = match dice.below(4) {
                    0 => format!("{v} :: {{{}, {}}}", i, i + 1),
                    1 => format!("CHOICE {v} := {} OR skip END", i + 1),
                    _ => format!("{v} := {}", i + 1),
                };
                operation(&format!("chain{i}_"), "", format!("{v} = {i}"), body);
            }
            part.stages = (0..3).map(|i| format!("{v} = {i}")).collect();
            part.reset = format!("{v} := 0");
            (format!("{v} : INTEGER"), format!("{v} := 0"))
        }
        2 => {
            operation("up", "", format!("{v} = FALSE"), format!("{v} := TRUE"));
            operation("down", "", format!("{v} = TRUE"), format!("{v} := FALSE"));
            part.stages = vec![format!("{v} = TRUE"), format!("{v} = FALSE")];
            part.reset = format!("{v} := FALSE");
            (format!("{v} : BOOL"), format!("{v} := FALSE"))
        }
        3 => {
            let k = 1 + dice.below(2);
            operation("step", "p", format!("{v}(p) < {k}"), format!("{v}(p) := {v}(p) + 1"));
            if dice.below(3) == 0 {
                operation("again", "p", format!("{v}(p) = {k}"), format!("{v}(p) := 0"));
            }
            part.stages = vec![
                format!("!t.(t : P => {v}(t) = {k})"),
                format!("#t.(t : P & {v}(t) = 0)"),
                format!("{v} = P * {{0}}"),
            ];
            part.reset = format!("{v} := P * {{0}}");
            (format!("{v} : P --> INTEGER"), format!("{v} := P * {{0}}"))
        }
        _ => {
            operation("enter", "p", format!("p /: {v}"), format!("{v} := {v} \\/ {{p}}"));
            if dice.below(2) == 0 {
                operation("leave", "p", format!("p : {v}"), format!("{v} := {v} - {{p}}"));
            }
            part.stages = vec![format!("{v} = P"), format!("{v} = {{}}"), format!("card({v}) = 1")];
            part.reset = format!("{v} := {{}}");
            (format!("{v} <: P"), format!("{v} := {{}}"))
        }
    };
    part.variables = vec![v];
    part.typing = vec![typing];
    part.initial = vec![initial];
    part
}

/// A machine.
pub fn machine(seed: u64) -> String {
    let dice = &mut Dice::new(seed ^ 0xABCD_EF01);
    let count = 2 + dice.below(3);
    let parts: Vec<Part> = (0..count)
        .map(|n| {
            let kind = dice.below(5);
            part(kind, n, dice)
        })
        .collect();
    let stage = |dice: &mut Dice| {
        let of = &parts[dice.below(count)].stages;
        of[dice.below(of.len())].clone()
    };
    let (mut variables, mut typing, mut initial) = (Vec::new(), Vec::new(), Vec::new());
    let mut operations: Vec<(String, &str, String, String)> = Vec::new();
    for part in &parts {
        variables.extend(part.variables.clone());
        typing.extend(part.typing.clone());
        initial.extend(part.initial.clone());
        operations.extend(part.operations.iter().cloned());
    }
    // What stops some of them, so that there is a deadlock if all are stopped.
    if dice.below(3) == 0 {
        variables.push("stop".into());
        typing.push("stop : BOOL".into());
        initial.push("stop := FALSE".into());
        for (_, _, guard, _) in &mut operations {
            if dice.below(3) > 0 {
                *guard = format!("stop = FALSE & {guard}");
            }
        }
        let when = format!("stop = FALSE & {} & {}", stage(dice), stage(dice));
        operations.push(("halt".into(), "", when, "stop := TRUE".into()));
    }
    // What brings parts together.
    for i in 0..dice.below(3) {
        let (when, and) = (stage(dice), stage(dice));
        let reset = parts[dice.below(count)].reset.clone();
        let body = match dice.below(6) {
            0 => format!("ASSERT not({and}) THEN skip END"),
            1 => "skip".into(),
            2 => format!("IF {and} THEN {reset} END"),
            _ => reset,
        };
        let guard = if dice.below(2) == 0 { format!("{when} & {and}") } else { when };
        operations.push((format!("meet{i}"), "", guard, body));
    }
    let mut asked = || match dice.below(3) {
        0 => stage(dice),
        1 => format!("{} & {}", stage(dice), stage(dice)),
        _ => format!("({} & {} & {})", stage(dice), stage(dice), stage(dice)),
    };
    let (never, goal) = (asked(), asked());
    let mut out = String::from("MACHINE M\nSETS P\nDEFINITIONS scope_P == 2");
    if seed.is_multiple_of(3) {
        out += &format!("; GOAL == {goal}");
    }
    out += &format!("\nVARIABLES {}\n", variables.join(", "));
    out += &format!("INVARIANT {} & not({never})\n", typing.join(" & "));
    out += &format!("INITIALISATION {}\nOPERATIONS\n", initial.join(" || "));
    let shown = operations.iter().map(|(name, parameters, guard, body)| match *parameters {
        "" => format!("  {name} = SELECT {guard} THEN {body} END"),
        p => format!("  {name}({p}) = PRE {p} : P & {guard} THEN {body} END"),
    });
    out + &shown.collect::<Vec<_>>().join(";\n") + "\nEND\n"
}
