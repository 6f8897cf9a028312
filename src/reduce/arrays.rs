//! Main arrays: what the methods of SymmSPIN (Bosnacki, Dams and Holenderski) sort by.
//!
//! For each symmetric set one array from its elements to values without symmetric elements; a subset
//! counts as an array of BOOL, and a relation as an array of sets. The first variable that has one is
//! taken, then the first constant, unless one is asked for. Without one all elements of the set are
//! equal.

use super::Interrupted;
use super::reading::Reading;
use super::vectors::Vectors;
use crate::symmetry::group::Group;
use crate::value::{Shape, Value};
use std::cmp::Ordering;

#[derive(Debug)]
pub struct MainArrays {
    vectors: Vectors,
    /// Number of the part that is the main array of each set of the group.
    chosen: Vec<Option<u32>>,
    notes: Vec<String>,
}

impl MainArrays {
    /// Chooses the main arrays; `wanted` names a variable or constant that must be one.
    ///
    /// # Errors
    /// Why `wanted` cannot be a main array.
    pub fn choose(
        reading: &Reading,
        group: &Group,
        wanted: Option<&str>,
    ) -> Result<MainArrays, String> {
        let Reading { shapes, names, constants, .. } = reading;
        MainArrays::among(shapes, names, *constants, group, wanted)
    }

    /// The same, among variables and constants with these shapes and names, the constants first.
    pub(super) fn among(
        shapes: &[Shape],
        names: &[String],
        constants: usize,
        group: &Group,
        wanted: Option<&str>,
    ) -> Result<MainArrays, String> {
        let vectors = Vectors::new(shapes, group);
        let wanted = match wanted {
            None => None,
            Some(name) => match names.iter().position(|n| n == name) {
                Some(cell) => Some(cell),
                None => {
                    return Err(format!("--main-array: there is no variable or constant {name}"));
                }
            },
        };
        // Variables before constants.
        let rank = |cell: usize| (wanted != Some(cell), cell < constants, cell);
        let chosen: Vec<Option<u32>> = group
            .sets()
            .iter()
            .map(|s| {
                let parts = vectors.parts.iter().enumerate();
                let fitting = parts.filter(|(_, part)| part.array_over() == Some(s.set));
                fitting.min_by_key(|(i, part)| (rank(part.cell), *i)).map(|(i, _)| i as u32)
            })
            .collect();
        let cell = |part: &u32| vectors.parts[*part as usize].cell;
        if let Some(wanted) = wanted
            && !group.is_trivial()
            && !chosen.iter().flatten().any(|part| cell(part) == wanted)
        {
            return Err(format!(
                "--main-array: {} is no array from elements of a symmetric set to values without such elements",
                names[wanted]
            ));
        }
        let mut notes: Vec<String> = chosen
            .iter()
            .zip(0..)
            .map(|(part, k)| match part {
                Some(part) => format!("main array {}: {}", k + 1, names[cell(part)]),
                None => format!("main array {}: none, all elements are equal", k + 1),
            })
            .collect();
        let used: Vec<usize> = chosen.iter().flatten().map(cell).collect();
        let mut others: Vec<usize> =
            vectors.parts.iter().filter(|p| p.moves()).map(|p| p.cell).collect();
        others.dedup();
        others.retain(|cell| !used.contains(cell));
        if !others.is_empty() {
            let others: Vec<&str> = others.iter().map(|cell| &*names[*cell]).collect();
            notes.push(format!(
                "not sorted by {}: permuted and compared all the same",
                others.join(", ")
            ));
        }
        Ok(MainArrays { vectors, chosen, notes })
    }

    pub fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The points of each set, sorted by what the main array has for them; equal ones together, in
    /// their own order.
    pub fn segments(&self, values: &[Value]) -> Result<Vec<Vec<Vec<u32>>>, Interrupted> {
        let group = &self.vectors.group;
        let mut rows: Vec<Vec<Vec<(u32, Value)>>> = vec![Vec::new(); group.points()];
        for entry in self.vectors.entries(values)? {
            if let Some(point) = entry.index()
                && self.chosen.contains(&Some(entry.part))
            {
                rows[point as usize].push(entry.values());
            }
        }
        let compare = |a: u32, b: u32| -> Ordering { rows[a as usize].cmp(&rows[b as usize]) };
        let segments = (0..group.sets().len()).map(|k| {
            let mut points: Vec<u32> = group.range(k).map(|p| p as u32).collect();
            points.sort_by(|a, b| compare(*a, *b));
            let equal = points.chunk_by(|a, b| compare(*a, *b) == Ordering::Equal);
            equal.map(<[u32]>::to_vec).collect()
        });
        Ok(segments.collect())
    }
}
