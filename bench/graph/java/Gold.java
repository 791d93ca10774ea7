import com.sun.source.tree.*;
import com.sun.source.util.JavacTask;
import com.sun.tools.javac.tree.*;
import com.sun.tools.javac.code.*;
import javax.tools.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

/** Prints what javac says of each name: path, line, column, name, then path, line and kind of its declaration. */
public class Gold {
    static Path root;
    static Map<Symbol, String> places = new HashMap<>();
    static Map<CompilationUnitTree, String> texts = new HashMap<>();

    static String text(CompilationUnitTree u) {
        return texts.computeIfAbsent(u, k -> { try { return k.getSourceFile().getCharContent(true).toString(); } catch (IOException e) { throw new RuntimeException(e); } });
    }
    static String place(CompilationUnitTree u, int pos) {
        String s = text(u);
        long l = u.getLineMap().getLineNumber(pos);
        int start = (int) u.getLineMap().getStartPosition(l);
        int col = s.substring(start, pos).getBytes(StandardCharsets.UTF_8).length + 1;
        return root.relativize(Path.of(u.getSourceFile().toUri())) + "\t" + l + "\t" + col;
    }
    static int find(CompilationUnitTree u, int from, String name) {
        String s = text(u);
        for (int i = s.indexOf(name, from); i >= 0; i = s.indexOf(name, i + 1)) {
            boolean left = i == 0 || !Character.isJavaIdentifierPart(s.charAt(i - 1));
            boolean right = i + name.length() >= s.length() || !Character.isJavaIdentifierPart(s.charAt(i + name.length()));
            if (left && right) return i;
        }
        return -1;
    }
    // Where the name of a class may begin: behind its modifiers.
    static int start(CompilationUnitTree u, JCTree.JCClassDecl d) {
        int p = d.mods == null ? -1 : TreeInfo.getEndPos(d.mods, ((JCTree.JCCompilationUnit) u).endPositions);
        return p >= 0 ? p : d.pos;
    }
    // Where the name of a variable is: behind its modifiers, of which annotations of a constant of an enum are some.
    static int named(CompilationUnitTree u, JCTree.JCVariableDecl d) {
        int p = d.mods == null ? -1 : TreeInfo.getEndPos(d.mods, ((JCTree.JCCompilationUnit) u).endPositions);
        return Math.max(p, d.pos);
    }
    // What javac makes for types that are not written has no end.
    static boolean written(CompilationUnitTree u, JCTree t) {
        return ((JCTree.JCCompilationUnit) u).endPositions.getEndPos(t) >= 0;
    }
    // A parameter of a compact constructor is written as a component of its record; others are locals.
    static String parameterOfRecord(Symbol s) {
        if (s.owner instanceof Symbol.MethodSymbol m && (m.flags() & Flags.COMPACT_RECORD_CONSTRUCTOR) != 0 && m.params().contains(s))
            for (Symbol c : m.owner.members().getSymbolsByName(s.name)) if (c instanceof Symbol.VarSymbol && places.containsKey(c)) return places.get(c);
        return "local";
    }
    // The component of a record that an accessor, which is not written, is of.
    static Symbol component(Symbol.MethodSymbol m) {
        if ((m.owner.flags() & Flags.RECORD) == 0 || !m.params().isEmpty() || places.containsKey(m)) return m;
        for (Symbol s : m.owner.members().getSymbolsByName(m.name)) if (s instanceof Symbol.VarSymbol && places.containsKey(s)) return s;
        return m;
    }
    public static void main(String[] args) throws Exception {
        root = Path.of(args[0]).toRealPath();
        List<File> files = new ArrayList<>();
        for (int i = 1; i < args.length; i++) if (args[i].equals("-cp")) i++; else
            try (var w = Files.walk(root.resolve(args[i]))) { w.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java") && !p.endsWith("package-info.java")).sorted().forEach(p -> files.add(p.toFile())); }
        String cp = "";
        for (int i = 1; i < args.length; i++) if (args[i].equals("-cp")) cp = args[i + 1];
        JavaCompiler c = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager fm = c.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        int[] errors = {0};
        JavacTask task = (JavacTask) c.getTask(new PrintWriter(Writer.nullWriter()), fm, d -> { if (d.getKind() == Diagnostic.Kind.ERROR) errors[0]++; },
            List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-XDshould-stop.ifNoError=FLOW", "-Xmaxerrs", "100000", "-cp", cp), null, fm.getJavaFileObjectsFromFiles(files));
        List<CompilationUnitTree> units = new ArrayList<>();
        for (CompilationUnitTree u : task.parse()) units.add(u);
        task.analyze();
        for (CompilationUnitTree u : units) new com.sun.source.util.TreeScanner<Void, Void>() {
            @Override public Void visitClass(ClassTree t, Void v) {
                var d = (JCTree.JCClassDecl) t;
                if (d.sym != null && !d.name.isEmpty()) { int p = find(u, start(u, d) , d.name.toString()); if (p >= 0) places.put(d.sym, place(u, p) + "\t" + d.sym.getKind()); }
                return super.visitClass(t, v);
            }
            @Override public Void visitMethod(MethodTree t, Void v) {
                var d = (JCTree.JCMethodDecl) t;
                if (d.sym != null && (d.sym.flags() & Flags.GENERATEDCONSTR) == 0) places.put(d.sym, place(u, d.pos) + "\t" + d.sym.getKind());
                return super.visitMethod(t, v);
            }
            @Override public Void visitVariable(VariableTree t, Void v) {
                var d = (JCTree.JCVariableDecl) t;
                if (d.sym != null && d.sym.owner instanceof Symbol.ClassSymbol) { int p = find(u, named(u, d), d.name.toString()); if (p >= 0) places.put(d.sym, place(u, p) + "\t" + d.sym.getKind()); }
                return super.visitVariable(t, v);
            }
        }.scan(u, null);
        PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 20), false, "UTF-8");
        for (CompilationUnitTree u : units) new com.sun.source.util.TreeScanner<Void, Void>() {
            void say(Symbol s, int pos, String name, String how) {
                if (s == null || pos < 0 || name.equals("this") || name.equals("super") || name.isEmpty() || name.equals("length") && s.owner == null) return;
                if (pos >= text(u).length() || !text(u).startsWith(name, pos)) return;
                String at;
                if (s instanceof Symbol.VarSymbol && !(s.owner instanceof Symbol.ClassSymbol)) at = parameterOfRecord(s);
                else if (s.kind == Kinds.Kind.ERR || s.type != null && s.type.isErroneous() && !places.containsKey(s)) at = "unknown";
                else if (s instanceof Symbol.TypeVariableSymbol) at = "local";
                else at = places.getOrDefault(s instanceof Symbol.MethodSymbol m ? component((Symbol.MethodSymbol) m.baseSymbol()) : s, "external");
                out.println(place(u, pos) + "\t" + name + "\t" + how + "\t" + at);
            }
            @Override public Void visitIdentifier(IdentifierTree t, Void v) { var d = (JCTree.JCIdent) t; if (written(u, d)) say(d.sym, d.pos, d.name.toString(), "name"); return super.visitIdentifier(t, v); }
            @Override public Void visitMemberSelect(MemberSelectTree t, Void v) {
                var d = (JCTree.JCFieldAccess) t;
                if (written(u, d)) say(d.sym, find(u, d.pos, d.name.toString()), d.name.toString(), "member"); return super.visitMemberSelect(t, v); }
            @Override public Void visitMemberReference(MemberReferenceTree t, Void v) { var d = (JCTree.JCMemberReference) t; say(d.sym, find(u, TreeInfo.getEndPos(d.expr, ((JCTree.JCCompilationUnit) u).endPositions), d.name.toString()), d.name.toString(), "reference"); return super.visitMemberReference(t, v); }
        }.scan(u, null);
        out.flush();
        System.err.println(files.size() + " files, " + errors[0] + " errors");
    }
}
