// What implements what in a program of TypeScript or JavaScript, by its checker: classes
// and interfaces by what they say, object literals by where they stand; their members by
// names. All are places: file, line and column in bytes, the file relative to a root.
"use strict";
const path = require("path");
module.exports = (ts, program, root, files) => {
  const checker = program.getTypeChecker();
  const inside = (d) => d.getSourceFile().fileName.startsWith(root + path.sep) && !d.getSourceFile().fileName.includes("node_modules");
  // A place is a file, line and column, in bytes.
  const place = (n) => {
    const s = n.getSourceFile(), pos = n.getStart(), { line } = s.getLineAndCharacterOfPosition(pos);
    const text = s.text.slice(s.getPositionOfLineAndCharacter(line, 0), pos);
    return `${path.relative(root, s.fileName)}:${line + 1}:${Buffer.byteLength(line ? text : text.replace("\ufeff", "")) + 1}`;
  };
  const nameOf = (d) => ts.getNameOfDeclaration(d) ?? d;
  const isOwner = (d) => ts.isInterfaceDeclaration(d) || ts.isClassLike(d) || ts.isTypeAliasDeclaration(d);
  const above = new Map(), below = new Map(), kinds = new Map(), abstract = new Set();
  function relate(from, to, kind) {
    if (from === to) return;
    kinds.set(from, kind);
    above.set(from, (above.get(from) ?? new Set()).add(to));
    below.set(to, (below.get(to) ?? new Set()).add(from));
  }
  // The types of the folder that a type is, of unions and intersections all, with all bases.
  function lineOf(type, seen = new Set()) {
    if (!type || seen.has(type)) return seen;
    if (type.isUnionOrIntersection()) {
      for (const t of type.types) lineOf(t, seen);
      return seen;
    }
    seen.add(type);
    const { aliasSymbol: a, aliasTypeArguments: args } = type;
    if (a && ["Partial", "Required", "Readonly"].includes(a.name)) for (const t of args) lineOf(t, seen);
    const target = type.target ?? type;
    for (const d of type.symbol?.declarations ?? []) {
      for (const c of d.heritageClauses ?? []) for (const t of c.types) lineOf(checker.getTypeAtLocation(t), seen);
    }
    if (target !== type) lineOf(target, seen);
    return seen;
  }
  const declarationsOf = (s) => (s?.declarations ?? []).filter(inside);
  const typesIn = (line) => [...new Set([...line].flatMap((t) => [...declarationsOf(t.symbol), ...declarationsOf(t.aliasSymbol)]))].filter((d) => isOwner(d) && d.name);
  function membersIn(line, name) {
    return [...new Set([...line].flatMap((t) => declarationsOf(checker.getPropertyOfType(t, name))))].filter((d) => d.parent && (ts.isTypeLiteralNode(d.parent) || isOwner(d.parent) || ts.isParameter(d)));
  }
  function classLike(c) {
    const line = new Set();
    for (const h of c.heritageClauses ?? []) for (const t of h.types) lineOf(checker.getTypeAtLocation(t), line);
    if (c.name) for (const d of typesIn(line)) relate(place(c.name), place(d.name), "class");
    for (const m of c.members) {
      if (!m.name || !ts.isIdentifier(m.name) || ts.getCombinedModifierFlags(m) & ts.ModifierFlags.Static) continue;
      if (ts.getCombinedModifierFlags(m) & ts.ModifierFlags.Private) continue;
      for (const d of membersIn(line, m.name.text)) relate(place(m.name), place(nameOf(d)), ts.isMethodDeclaration(m) ? "method" : "property of a class");
    }
  }
  function literal(o) {
    let type = checker.getContextualType(o);
    // what a generic function infers of the object itself says nothing: what is made of its result does
    for (let at = o; type?.symbol?.declarations?.includes(o) && ts.isCallExpression(at.parent); ) type = checker.getContextualType((at = at.parent));
    if (!type) return;
    type = checker.getNonNullableType(type);
    if (type.flags & ts.TypeFlags.Any) return;
    const line = lineOf(type);
    if (o.properties.length) for (const d of typesIn(line)) relate(place(o), place(d.name), "object");
    for (const m of o.properties) {
      if (!m.name || !ts.isIdentifier(m.name)) continue;
      for (const d of membersIn(line, m.name.text)) relate(place(m.name), place(nameOf(d)), "key of an object");
    }
  }
  const targets = [], declared = new Set();
  for (const f of files) {
    const visit = (n) => {
      if (ts.isClassLike(n)) classLike(n);
      if (ts.isObjectLiteralExpression(n)) literal(n);
      const member = (ts.isMethodSignature(n) || ts.isMethodDeclaration(n) || ts.isPropertySignature(n) || ts.isPropertyDeclaration(n) || ts.isGetAccessor(n)) && (ts.isInterfaceDeclaration(n.parent) || ts.isClassLike(n.parent));
      if ((member || ts.isInterfaceDeclaration(n) || ts.isClassDeclaration(n)) && n.name && ts.isIdentifier(n.name)) targets.push(place(n.name));
      if (n.name && (ts.isInterfaceDeclaration(n) || ts.isTypeAliasDeclaration(n) || ts.isTypeElement(n))) declared.add(place(n.name));
      ts.forEachChild(n, visit);
    };
    visit(program.getSourceFile(f));
  }
  return { place, inside, above, below, kinds, targets, declared };
};
