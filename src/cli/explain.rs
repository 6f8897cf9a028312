//! `burnside explain`: what the compiler has made of a machine.

use super::arguments::{ExplainOptions, Format};
use super::input::Input;
use super::output::print;
use super::signals::Interrupt;
use super::{EXIT_OK, Failure, finished, load};
use crate::eval::answers::explain::explain;
use crate::report::explain::{json, text};
use crate::session::Good;
use crate::syntax::suggest::closest;

/// Prints how the machine is held and run; `operation`: only this one.
///
/// # Errors
/// The machine is refused, has no such operation, or the report cannot be written.
pub fn run(
    input: &Input,
    operation: Option<&str>,
    options: &ExplainOptions,
) -> Result<u8, Failure> {
    let _interrupt = Interrupt::at_once();
    let is_json = options.format == Format::Json;
    let clock = options.limits.clock();
    let setup = options.model.setup();
    let good = load(input, setup, is_json, &clock, &Interrupt::default())?.good;
    let what = "the machine was not explained";
    let (name, mut explanation) =
        finished(input, good, what, is_json, &clock, |Good { model, sources }| {
            let source = |span| sources.text(span).to_owned();
            (model.instance.machine.name.to_string(), explain(&model.program, &source))
        })?;
    if let Some(wanted) = operation {
        let names = || explanation.operations.iter().map(|o| o.name.as_str());
        if !names().any(|name| name == wanted) {
            let hint = match closest(wanted, names()) {
                Some(known) => format!("; did you mean `{known}`?"),
                None => String::new(),
            };
            return Err(Failure::Message(format!("no operation `{wanted}`{hint}")));
        }
        explanation.operations.retain(|o| o.name == wanted);
        explanation.invariant.clear();
        explanation.assertions.clear();
    }
    print(if is_json { json(&name, &explanation) } else { text(&explanation) })?;
    Ok(EXIT_OK)
}
