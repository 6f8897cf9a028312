//! Operators on trees.
//!
//! Their names are soft: each is an ordinary identifier where it is declared.

use crate::machine::{Expr, ExprKind, TreeOp, Type};
use crate::source::Span;
use crate::syntax::ast::Node;
use crate::typing::context::{Elaborator, count};
use crate::typing::infer::ERROR;

impl<'a> Elaborator<'a> {
    /// A tree operator by its name, applied.
    pub fn tree_operator(&mut self, name: &str, arguments: &'a [Node], span: Span) -> Expr {
        let label = self.infer.fresh();
        let place = Type::sequence(Type::Integer);
        let tree = Type::relation(place.clone(), label.clone());
        let places = |n: usize| [vec![tree.clone()], vec![place.clone(); n]].concat();
        let only = || vec![tree.clone()];
        let set = || vec![Type::pow(label.clone())];
        let labels = Type::sequence(label.clone());
        let (op, from, to) = match name {
            "tree" => (TreeOp::Trees, set(), Type::pow(tree.clone())),
            "btree" => (TreeOp::BinaryTrees, set(), Type::pow(tree.clone())),
            "const" => {
                let sons = Type::sequence(tree.clone());
                (TreeOp::Construct, vec![label.clone(), sons], tree.clone())
            }
            "top" => (TreeOp::Top, only(), label.clone()),
            "sons" => (TreeOp::Sons, only(), Type::sequence(tree.clone())),
            "prefix" => (TreeOp::Prefix, only(), labels),
            "infix" => (TreeOp::Infix, only(), labels),
            "postfix" => (TreeOp::Postfix, only(), labels),
            "sizet" => (TreeOp::Size, only(), Type::Integer),
            "mirror" => (TreeOp::Mirror, only(), tree.clone()),
            "rank" => (TreeOp::Rank, places(1), Type::Integer),
            "father" => (TreeOp::Father, places(1), place.clone()),
            "son" => {
                let from = [places(1), vec![Type::Integer]].concat();
                (TreeOp::Son, from, place.clone())
            }
            "subtree" => (TreeOp::Subtree, places(1), tree.clone()),
            "arity" => (TreeOp::Arity, places(1), Type::Integer),
            "bin" if arguments.len() == 3 => {
                (TreeOp::Node, vec![tree.clone(), label.clone(), tree.clone()], tree.clone())
            }
            "bin" => (TreeOp::Leaf, vec![label.clone()], tree.clone()),
            "left" => (TreeOp::Left, only(), tree.clone()),
            _ => (TreeOp::Right, only(), tree.clone()),
        };
        if arguments.len() != from.len() {
            let wanted = match op {
                TreeOp::Leaf => "1 argument or 3".to_owned(),
                _ => count(from.len(), "argument"),
            };
            let message = format!("`{name}` takes {wanted}, found {}", arguments.len());
            self.error("argument-count", span, message);
            return self.refused(span);
        }
        let operands: Vec<Expr> =
            arguments.iter().zip(&from).map(|(node, ty)| self.expr_of(node, ty)).collect();
        let ty = if operands.iter().any(|o| o.ty == ERROR) { ERROR } else { to };
        self.node_expr(ExprKind::Tree(op, operands), ty, span)
    }
}
