//! Which reference includes an instance: known before any is made, since a machine may be seen
//! before it is included, and takes its parameters from who includes it.

use crate::diagnostic::Diagnostic;
use crate::typing::loader::{ReferenceKind, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most instances of machines in one machine. Each level of renamed inclusions can double them.
const MAX_INSTANCES: usize = 10_000;

/// The instance that includes another one, and the number of the reference in its unit.
#[derive(Clone, Debug)]
pub struct Owner {
    pub unit: usize,
    pub prefix: String,
    pub reference: usize,
}

/// The owner of each instance that has one, by unit and prefix.
#[derive(Default, Debug)]
pub struct Owners(FxHashMap<(usize, String), Owner>);

impl Owners {
    /// Follows all references from the main machine. What is included twice is reported.
    ///
    /// # Errors
    /// When there are too many instances to be made.
    pub fn of(units: &[Unit], diagnostics: &mut Vec<Diagnostic>) -> Result<Owners, Diagnostic> {
        let mut owners = Owners::default();
        let mut seen = FxHashSet::from_iter([(0, String::new())]);
        let mut todo = vec![(0, String::new())];
        while let Some((unit, prefix)) = todo.pop() {
            for (i, reference) in units[unit].references.iter().enumerate() {
                let Some(target) = reference.unit else { continue };
                if reference.kind == ReferenceKind::Refines {
                    continue;
                }
                let key = (target, reference.prefixes(&prefix).1);
                if reference.kind.owns() {
                    let owner = Owner { unit, prefix: prefix.clone(), reference: i };
                    diagnostics.extend(owners.add(units, &key, owner));
                }
                if seen.insert(key.clone()) {
                    todo.push(key);
                }
                if seen.len() > MAX_INSTANCES {
                    let message = format!(
                        "the inclusions of this machine make more than {MAX_INSTANCES} instances \
                         of machines"
                    );
                    let span = reference.span();
                    return Err(Diagnostic::error("too-many-instances", span, message));
                }
            }
        }
        Ok(owners)
    }

    /// Notes an owner. A second one would give the parameters of the instance other values.
    fn add(&mut self, units: &[Unit], of: &(usize, String), owner: Owner) -> Option<Diagnostic> {
        let file = &units[of.0].file;
        let Some(first) = self.0.get(of) else {
            self.0.insert(of.clone(), owner);
            return None;
        };
        let reference = |owner: &Owner| &units[owner.unit].references[owner.reference];
        let place = |owner: &Owner| reference(owner).span();
        // One machine that is included by several others is one all the same.
        let by_one = first.unit == owner.unit && first.prefix == owner.prefix;
        let repeated = by_one && reference(first).kind == reference(&owner).kind;
        let name = &file.name.name;
        let message = match file.parameters.is_empty() {
            true if repeated => format!("`{name}` is included twice under one name"),
            true => return None,
            false => format!("`{name}` has parameters and is included twice under one name"),
        };
        let diagnostic = Diagnostic::error("included-twice", place(&owner), message);
        let arguments = if file.parameters.is_empty() { "" } else { "(..)" };
        let hint = format!("rename one of them: INCLUDES other.{name}{arguments}");
        Some(diagnostic.note(place(first), "included here, too").hint(hint))
    }

    pub fn get(&self, unit: usize, prefix: &str) -> Option<&Owner> {
        self.0.get(&(unit, prefix.to_owned()))
    }
}
