//! Canonical labelling.

use super::{About, Batch, Interrupted, Kind, Orders, Reduction, SetUp, Worker, forms};
use crate::clock;
use crate::state::{Interner, Layout};
use crate::symmetry::Cell;
use crate::symmetry::flat::{FlatPlan, Packed};
use crate::symmetry::group::Group;
use crate::symmetry::label::{FlatLabelling, Labeller, Labelling, Options, Subject, Wanted};
use crate::symmetry::orbit::{Orbits, Order};
use crate::symmetry::plan::moves;
use crate::value::{Generators, Permutation, Shape, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The canonical image of each state is kept (Turner et al.).
pub fn reduction(layout: Arc<Layout>, group: Group) -> Reduction {
    let about = About {
        kind: Kind::Complete,
        orders: Orders::Found,
        group: group.exact_order(),
        keeps_runs: false,
        notes: Vec::new(),
    };
    let plan = Arc::new(Plan::new(layout, &group));
    Reduction::new(about, move || Canon::with(plan.clone(), group.clone()))
}

/// What all threads share.
struct Plan {
    layout: Arc<Layout>,
    /// How packed states are labelled as they are, where they are flat.
    flat: Option<FlatPlan>,
    /// Shapes of the constants, then of the variables.
    shapes: Vec<Shape>,
    /// Whether a permutation may change some constant, going by their types. States whose constants it does change are not
    /// flat.
    constants_may_move: bool,
}

impl Plan {
    fn new(layout: Arc<Layout>, group: &Group) -> Plan {
        let flat = FlatPlan::compile(group, &layout);
        let variables = layout.fields.iter().map(|f| f.shape.clone());
        let shapes = layout.constant_shapes().iter().cloned().chain(variables).collect();
        let constants_may_move = layout.constant_shapes().iter().any(|s| moves(group, s));
        Plan { layout, flat, shapes, constants_may_move }
    }
}

/// Labels packed states canonically.
pub struct Canon {
    plan: Arc<Plan>,
    labeller: Labeller,
    /// By the number of the constants, what they leave of the group.
    constants: FxHashMap<u32, Left>,
    /// By their canonical image, what takes the first constants that were met of an orbit to it, where no permutation leaves
    /// them as they are.
    firsts: FxHashMap<Vec<Value>, Permutation>,
}

/// Which permutations of the group leave constants as they are.
#[derive(Clone)]
enum Left {
    All,
    Some,
    /// The identity alone. Then a state is alone in its orbit, but for images that have other constants, and need not be
    /// labelled: its canonical image is itself, or that under this permutation, which takes its constants to the first ones
    /// of their orbit that were met.
    Identity(Option<Arc<Permutation>>),
}

/// A packed state, whose image is the list of the values of its constants and variables.
struct Unpacked<'a> {
    shapes: &'a [Shape],
    values: &'a [Value],
}

impl Subject for Unpacked<'_> {
    type Image = Vec<Value>;

    fn image(&mut self, permutation: &Permutation) -> Vec<Value> {
        self.shapes.iter().zip(self.values).map(|(s, v)| permutation.apply(s, v)).collect()
    }
}

/// The cells of a list of values, labelled by their position.
pub fn cells<'a>(shapes: &'a [Shape], values: &'a [Value]) -> Vec<Cell<'a>> {
    let numbered = shapes.iter().zip(values).enumerate();
    numbered.map(|(i, (shape, value))| Cell { label: i as u32, shape, value }).collect()
}

impl Canon {
    pub fn new(layout: Arc<Layout>, group: Group) -> Canon {
        Canon::with(Arc::new(Plan::new(layout, &group)), group)
    }

    fn with(plan: Arc<Plan>, group: Group) -> Canon {
        Canon {
            plan,
            labeller: Labeller::new(group),
            constants: FxHashMap::default(),
            firsts: FxHashMap::default(),
        }
    }

    /// Labels a list of values: of all shapes, or of those of the constants.
    fn label(
        &mut self,
        values: &[Value],
        generators: Wanted,
    ) -> Result<Labelling<Vec<Value>>, Interrupted> {
        let shapes = &self.plan.shapes[..values.len()];
        let mut subject = Unpacked { shapes, values };
        let options = Options { generators };
        self.labeller.label(&cells(shapes, values), &mut subject, options).ok_or(Interrupted)
    }

    /// Labels a packed state, whose constants leave this of the group, without unpacking it; `None` where it is not flat.
    fn label_flat(
        &mut self,
        (state, left): (&[u64], &Left),
        generators: Wanted,
    ) -> Option<Result<FlatLabelling, Interrupted>> {
        let plan = self.plan.flat.as_ref().filter(|plan| plan.fits(state))?;
        let options = Options { generators };
        let is_flat = matches!(left, Left::All);
        is_flat.then(|| self.labeller.label_flat(plan, state, options).ok_or(Interrupted))
    }

    /// What the constants of a state leave of the group.
    fn left(&mut self, state: &[u64], interner: &mut Interner) -> Result<Left, Interrupted> {
        if !self.plan.constants_may_move {
            return Ok(Left::All);
        }
        let number = self.plan.layout.constants_number(state);
        if let Some(known) = self.constants.get(&number) {
            return Ok(known.clone());
        }
        let constants = self.plan.layout.read_constants(state, interner).to_vec();
        let Labelling { image, permutation, aut_order, .. } =
            self.label(&constants, Wanted::None)?;
        let left = if aut_order == self.labeller.group().exact_order() {
            Left::All
        } else if aut_order != Order::ONE {
            Left::Some
        } else if let Some(first) = self.firsts.get(&image) {
            Left::Identity(Some(Arc::new(permutation.then(&first.inverse()))))
        } else {
            self.firsts.insert(image, permutation);
            Left::Identity(None)
        };
        self.constants.insert(number, left.clone());
        Ok(left)
    }

    /// The canonical image of a state whose constants leave the identity alone.
    fn alone(
        &self,
        state: &[u64],
        to_first: Option<&Permutation>,
        interner: &mut Interner,
    ) -> Packed {
        let Some(permutation) = to_first else { return Packed::from_slice(state) };
        let values = self.unpack(state, interner);
        let image = Unpacked { shapes: &self.plan.shapes, values: &values }.image(permutation);
        self.pack(&image, interner)
    }

    /// Constants and variables of a packed state.
    fn unpack(&self, state: &[u64], interner: &mut Interner) -> Vec<Value> {
        let mut values = self.plan.layout.read_constants(state, interner).to_vec();
        values.extend(self.plan.layout.read_all(state, interner));
        values
    }

    /// The canonical image of a packed state, and the order of its stabiliser.
    pub fn canonical(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<(Packed, Order), Interrupted> {
        let left = self.left(state, interner)?;
        if let Left::Identity(to_first) = &left {
            return Ok((self.alone(state, to_first.as_deref(), interner), Order::ONE));
        }
        match self.label_flat((state, &left), Wanted::None) {
            Some(found) => found.map(|f| (f.image, f.aut_order)),
            None => self.canonical_values(state, interner),
        }
    }

    /// The same for a state that is not flat.
    fn canonical_values(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<(Packed, Order), Interrupted> {
        let values = self.unpack(state, interner);
        let labelling = self.label(&values, Wanted::None)?;
        Ok((self.pack(&labelling.image, interner), labelling.aut_order))
    }

    /// The packed state of these values of the constants and variables.
    fn pack(&self, values: &[Value], interner: &mut Interner) -> Packed {
        let layout = &self.plan.layout;
        let (constants, variables) = values.split_at(layout.constant_shapes().len());
        Packed::from_vec(layout.pack(constants.into(), variables, interner))
    }

    /// The image of a packed state under a permutation that leaves its constants as they are.
    fn image(
        &self,
        state: &[u64],
        by: &Permutation,
        interner: &mut Interner,
    ) -> Result<Packed, Interrupted> {
        clock::spend(1 + state.len())?;
        if let Some(plan) = self.plan.flat.as_ref().filter(|plan| plan.fits(state)) {
            return Ok(plan.write_image(state, by));
        }
        let layout = &self.plan.layout;
        let values = layout.read_all(state, interner);
        // Roughly the members of all sets.
        clock::spend(values.iter().map(forms::bytes).sum::<usize>() / 16)?;
        let shapes = layout.fields.iter().map(|f| &f.shape);
        let images: Vec<Value> = shapes.zip(&values).map(|(s, v)| by.apply(s, v)).collect();
        let constants = layout.read_constants(state, interner);
        Ok(Packed::from_vec(layout.pack(constants, &images, interner)))
    }

    /// Generators of the group, those of them that leave these constants as they are.
    fn fixing(&self, constants: &[Value]) -> Vec<Permutation> {
        let shapes = self.plan.layout.constant_shapes();
        let fixes =
            |g: &Permutation| shapes.iter().zip(constants).all(|(s, v)| g.apply(s, v) == *v);
        self.labeller.group().generators().into_iter().filter(fixes).collect()
    }
}

impl Canon {
    pub fn group(&self) -> &Group {
        self.labeller.group()
    }

    /// Generators of the stabiliser of a packed state.
    pub fn generators(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<Generators, Interrupted> {
        let left = self.left(state, interner)?;
        if let Left::Identity(_) = left {
            return Ok(Generators::default());
        }
        if let Some(found) = self.label_flat((state, &left), Wanted::All) {
            found?;
            return Ok(self.labeller.generators()?);
        }
        let values = self.unpack(state, interner);
        Ok(self.label(&values, Wanted::All)?.generators)
    }

    /// Whether two states are in one orbit.
    pub fn same_orbit(
        &mut self,
        a: &[u64],
        b: &[u64],
        interner: &mut Interner,
    ) -> Result<bool, Interrupted> {
        Ok(a == b || self.canonical(a, interner)?.0 == self.canonical(b, interner)?.0)
    }
}

impl Worker for Canon {
    fn represent(&mut self, batch: &mut Batch, interner: &mut Interner) -> Result<(), Interrupted> {
        for i in 0..batch.len() {
            let state = batch.state(i);
            let left = self.left(state, interner)?;
            if let Left::Identity(to_first) = &left {
                let image = self.alone(state, to_first.as_deref(), interner);
                batch.imaged(&image, Some(Order::ONE));
                batch.generators.push(&[]);
            } else if let Some(found) = self.label_flat((state, &left), Wanted::Met) {
                let FlatLabelling { image, aut_order, met } = found?;
                batch.imaged(&image, Some(aut_order));
                batch.generators.push_with(|words| {
                    if met {
                        self.labeller.write_generators(words);
                    }
                });
            } else {
                let (image, order) = self.canonical_values(state, interner)?;
                batch.imaged(&image, Some(order));
                batch.generators.push(&[]);
            }
        }
        Ok(())
    }

    /// The orbits are those that the permutations link: some images of a state take less than its
    /// labelling, which looks at every point. One that is not among the states links nothing.
    fn alike(
        &mut self,
        states: &[&[u64]],
        by: Option<&[Permutation]>,
        interner: &mut Interner,
    ) -> Result<Vec<u32>, Interrupted> {
        let [first, _, ..] = states else { return Ok(Vec::new()) };
        let all = match by {
            Some(_) => Vec::new(),
            None => self.fixing(&self.plan.layout.read_constants(first, interner)),
        };
        let mut numbers: FxHashMap<&[u64], u32> = FxHashMap::default();
        for (i, state) in states.iter().enumerate() {
            clock::tick()?;
            numbers.insert(state, i as u32);
        }
        let mut orbits = Orbits::new(states.len());
        for (i, state) in states.iter().enumerate() {
            for permutation in by.unwrap_or(&all) {
                let image = self.image(state, permutation, interner)?;
                if let Some(j) = numbers.get(&image[..]) {
                    orbits.join(i as u32, *j);
                }
            }
        }
        Ok((0..states.len() as u32).map(|i| orbits.find(i)).collect())
    }

    fn set_up(&mut self, constants: &[Value], _: &mut Interner) -> Result<SetUp, Interrupted> {
        let Labelling { image, aut_order, .. } = self.label(constants, Wanted::None)?;
        Ok(SetUp { class: image, order: Some(aut_order) })
    }
}
