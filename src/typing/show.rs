//! Type terms as text, for messages.

use crate::machine::{CarrierSet, Freetype, Type};
use crate::syntax::Dialect;
use crate::typing::infer::Infer;
use std::fmt::Write;

/// Text after which nothing more of a type is shown.
const LONG: usize = 200;

/// What the types of a machine are called.
pub struct Names<'n> {
    pub infer: &'n Infer,
    pub sets: &'n [CarrierSet],
    pub freetypes: &'n [Freetype],
    pub dialect: Dialect,
}

impl Names<'_> {
    /// A term as text; unknown parts are `?`, and long types are cut.
    pub fn show(&self, ty: &Type) -> String {
        let mut out = String::new();
        self.show_at(ty, false, &mut out);
        out
    }

    fn show_at(&self, ty: &Type, inner: bool, out: &mut String) {
        if out.len() > LONG {
            if !out.ends_with("..") {
                out.push_str("..");
            }
            return;
        }
        let Some(head) = self.infer.head(ty) else {
            out.push('?');
            return;
        };
        match &head {
            Type::Integer => out.push_str(match self.dialect {
                Dialect::Classical => "INTEGER",
                Dialect::EventB => "INT",
            }),
            Type::Real => out.push_str("REAL"),
            Type::Bool => out.push_str("BOOL"),
            Type::String => out.push_str("STRING"),
            Type::Set(s) => {
                out.push_str(self.sets.get(s.0 as usize).map_or("?", |set| &set.name));
            }
            Type::Free(f) => {
                out.push_str(self.freetypes.get(f.0 as usize).map_or("?", |free| &free.name));
            }
            Type::Pow(t) => {
                out.push_str("POW(");
                self.show_at(t, false, out);
                out.push(')');
            }
            Type::Pair(p) => {
                if inner {
                    out.push('(');
                }
                self.show_at(&p.0, false, out);
                out.push_str(match self.dialect {
                    Dialect::Classical => "*",
                    Dialect::EventB => " ** ",
                });
                self.show_at(&p.1, true, out);
                if inner {
                    out.push(')');
                }
            }
            Type::Record(fields) => {
                out.push_str("struct(");
                for (i, (name, t)) in fields.iter().enumerate() {
                    let _ = write!(out, "{}{name}:", if i == 0 { "" } else { "," });
                    self.show_at(t, false, out);
                }
                out.push(')');
            }
        }
    }
}
