//! The one vocabulary of the workbench: keymap, help, hint bar and tests use these names.

use super::panes::Pane;
use crate::search::SymmetryMode;

/// Something that the user can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Top,
    Bottom,
    NextPane,
    PreviousPane,
    /// `focus NAME`
    Focus(Pane),
    Zoom,
    Wider,
    Narrower,
    Taller,
    Shorter,
    Even,
    Take,
    Undo,
    Redo,
    FollowTrace,
    WalkTrace,
    Ask,
    WhyNot,
    GoThere,
    Compare,
    Chart,
    Copy,
    Write,
    ChangedOnly,
    Unfold,
    /// The guard of the selected operation, part by part.
    Guard,
    Statistics,
    Settings,
    SaveTrace,
    LoadTrace,
    Walk,
    WalkFar,
    Filter,
    /// What of the state is shown.
    Names,
    Watch,
    Unwatch,
    Palette,
    Symmetry,
    Method,
    /// `mode NAME`
    Mode(SymmetryMode),
    Reduction,
    Check,
    Pause,
    Reload,
    Edit,
    NextFile,
    PreviousFile,
    Explain,
    Refine,
    Unrefine,
    SymmetryOfSets,
    Messages,
    Errors,
    Help,
    Close,
    Redraw,
    Suspend,
    Interrupt,
    Quit,
}

/// An action's name, a word for the hint bar, and what it does.
pub struct Described {
    pub action: Action,
    pub name: &'static str,
    pub short: &'static str,
    pub text: &'static str,
}

const fn row(
    action: Action,
    name: &'static str,
    short: &'static str,
    text: &'static str,
) -> Described {
    Described { action, name, short, text }
}

/// All actions in the order of the help screen.
pub const ALL: &[Described] = &[
    row(Action::Take, "take", "take", "take the selected operation"),
    row(Action::Undo, "undo", "undo", "one step back in the history"),
    row(Action::Redo, "redo", "redo", "one step forth again"),
    row(Action::FollowTrace, "follow-trace", "trace", "follow the trace that the check has found"),
    row(
        Action::WalkTrace,
        "walk-trace",
        "from start",
        "stand at the start of that trace: redo walks it",
    ),
    row(Action::Ask, "ask", "ask", "the value of a formula in this state"),
    row(
        Action::WhyNot,
        "why-not",
        "why not",
        "a way to the selected disabled operation, or to a predicate",
    ),
    row(Action::GoThere, "go-there", "go there", "go the way that was found"),
    row(
        Action::Settings,
        "settings",
        "settings",
        "set sizes, limits, symmetry, strategy, checks: a list",
    ),
    row(
        Action::Statistics,
        "statistics",
        "figures",
        "how fast the check is, and each operation in it",
    ),
    row(Action::Unfold, "unfold", "unfold", "open or close what is folded"),
    row(Action::Guard, "guard", "guard", "the guard of the selected operation, part by part"),
    row(Action::ChangedOnly, "changed-only", "changed", "only what the last step changed, or all"),
    row(Action::Copy, "copy", "copy", "copy the state, or in the console the last answer"),
    row(Action::Write, "write", "write", "write what `copy` copies to a file"),
    row(Action::Compare, "compare", "compare", "search with every symmetry mode, side by side"),
    row(
        Action::Chart,
        "chart",
        "chart",
        "nodes for each size of the sets, under every symmetry mode",
    ),
    row(Action::SaveTrace, "save-trace", "save", "write the steps of the history to a file"),
    row(Action::LoadTrace, "load-trace", "load", "read a trace and follow it"),
    row(Action::Walk, "walk", "random", "a random step, or as many as the number before"),
    row(Action::WalkFar, "walk-far", "random", "random steps: how many, and a seed"),
    row(Action::Filter, "filter", "filter", "list the operations with some text only"),
    row(Action::Names, "names", "names", "show what has some text in its name of the state only"),
    row(Action::Watch, "watch", "watch", "show the value of a formula in every state"),
    row(Action::Unwatch, "unwatch", "unwatch", "no longer show the formula watched last"),
    row(Action::Palette, "palette", "do", "look for an action by its name"),
    row(Action::Symmetry, "symmetry", "symmetry", "symmetry off or canon; the check starts again"),
    row(Action::Method, "method", "method", "next symmetry method; the check starts again"),
    row(
        Action::Mode(SymmetryMode::Canon),
        "mode",
        "mode",
        "the symmetry mode of this name, as in `mode flood`",
    ),
    row(
        Action::Reduction,
        "reduction",
        "reduction",
        "partial order reduction: off, ample or stubborn",
    ),
    row(Action::Check, "check", "check", "check again"),
    row(Action::Pause, "pause", "pause", "let the check pause, and go on"),
    row(Action::NextPane, "next-pane", "pane", "next pane"),
    row(Action::PreviousPane, "previous-pane", "pane", "previous pane"),
    row(
        Action::Focus(Pane::Operations),
        "focus",
        "pane",
        "the panes by number, in the order of Tab",
    ),
    row(Action::Zoom, "zoom", "zoom", "the pane alone on the screen, and back"),
    row(Action::Wider, "wider", "wider", "the pane becomes wider"),
    row(Action::Narrower, "narrower", "narrower", "the pane becomes narrower"),
    row(Action::Taller, "taller", "taller", "the pane becomes taller"),
    row(Action::Shorter, "shorter", "shorter", "the pane becomes shorter"),
    row(Action::Even, "even", "even", "all panes as large as they were at first"),
    row(Action::NextFile, "next-file", "file", "next file of the machine in the source pane"),
    row(Action::PreviousFile, "previous-file", "file", "previous file of the machine"),
    row(Action::Explain, "explain", "explain", "the labelling step by step in place of the matrix"),
    row(Action::Refine, "refine", "step", "the next step of the labelling in the matrix pane"),
    row(Action::Unrefine, "unrefine", "back", "the step of the labelling before"),
    row(Action::SymmetryOfSets, "symmetry-of-sets", "why", "what became of each set's symmetry"),
    row(Action::Messages, "messages", "messages", "the last messages, whole"),
    row(Action::Errors, "errors", "errors", "errors and warnings of the machine"),
    row(Action::Edit, "edit", "edit", "open the file in your editor, at this line"),
    row(Action::Reload, "reload", "reload", "read the files again"),
    row(Action::Help, "help", "help", "this help"),
    row(Action::Close, "close", "close", "close what lies on top, or cancel a long listing"),
    row(Action::Quit, "quit", "quit", "close what lies on top, or leave the workbench"),
    row(Action::Interrupt, "interrupt", "interrupt", "cancel a long listing; twice: leave"),
    row(Action::Down, "down", "down", "next line, or next operation of the list"),
    row(Action::Up, "up", "up", "previous line or operation"),
    row(Action::Left, "left", "left", "scroll to the left"),
    row(Action::Right, "right", "right", "scroll to the right"),
    row(Action::PageDown, "page-down", "page", "one page down"),
    row(Action::PageUp, "page-up", "page", "one page up"),
    row(Action::Top, "top", "top", "to the beginning"),
    row(Action::Bottom, "bottom", "bottom", "to the end"),
    row(Action::Suspend, "suspend", "suspend", "back to the shell; `fg` returns"),
    row(Action::Redraw, "redraw", "redraw", "draw the whole screen again"),
];

impl Action {
    pub fn from_name(name: &str) -> Option<Action> {
        match name.split_once(' ') {
            Some(("focus", pane)) => Pane::named(pane).map(Action::Focus),
            Some(("mode", name)) => {
                let mut modes = SymmetryMode::ALL.into_iter();
                modes.find(|mode| mode.names().any(|own| own == name)).map(Action::Mode)
            }
            // None of its arguments is meant where none is given.
            _ if Action::arguments(name).is_some() => None,
            _ => ALL.iter().find(|d| d.name == name).map(|d| d.action),
        }
    }

    /// What an action may be given by name, of those that take such.
    pub fn arguments(name: &str) -> Option<Vec<&'static str>> {
        match name {
            "focus" => Some(Pane::ALL.iter().map(|pane| pane.about().name).collect()),
            "mode" => Some(SymmetryMode::ALL.into_iter().map(SymmetryMode::name).collect()),
            _ => None,
        }
    }

    /// As a keymap writes it, with its arguments.
    pub fn written(self) -> String {
        match self {
            Action::Focus(pane) => format!("focus {}", pane.about().name),
            Action::Mode(mode) => format!("mode {}", mode.name()),
            _ => self.described().map_or_else(String::new, |d| d.name.to_owned()),
        }
    }

    /// A count means: so many times.
    pub fn repeats(self) -> bool {
        use Action::*;
        let panes = matches!(self, NextPane | PreviousPane | Wider | Narrower | Taller | Shorter);
        let steps = panes || matches!(self, NextFile | PreviousFile);
        steps || (self.is_motion() && !matches!(self, Top | Bottom))
    }

    /// A motion is about the pane that has the focus, or what lies over it.
    pub fn is_motion(self) -> bool {
        use Action::*;
        matches!(self, Up | Down | Left | Right | PageUp | PageDown | Top | Bottom)
    }

    /// The same action, with other arguments perhaps.
    pub fn is_like(self, other: Action) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    pub fn described(self) -> Option<&'static Described> {
        ALL.iter().find(|d| d.action.is_like(self))
    }
}
