using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

// Prints what Roslyn says of each name, for ../java/compare.py: path, line, column, name, how it is used, then path, line,
// column and kind of its declaration. Each project of the work tree is compiled with the projects that it refers to; packages
// are not there, so that what follows from them is unknown. See gold.sh.
static class Gold {
    static string root;
    static readonly Dictionary<string, Project> projects = new Dictionary<string, Project>();

    class Project {
        public string Path, Folder;
        public List<string> Files = new List<string>();
        public List<Project> Refers = new List<Project>();
        public List<string> Usings = new List<string>();
        public List<string> Defines = new List<string>();
        public CSharpCompilation Compiled;
    }

    static IEnumerable<XElement> Named(XDocument d, string name) { return d.Descendants().Where(e => e.Name.LocalName == name); }

    static IEnumerable<XDocument> Settings(string path) {
        yield return XDocument.Load(path);
        for (var dir = Path.GetDirectoryName(path); dir != null && dir.Length >= root.Length; dir = Path.GetDirectoryName(dir)) {
            var props = Path.Combine(dir, "Directory.Build.props");
            if (File.Exists(props)) yield return XDocument.Load(props);
        }
    }

    static Project Read(string path) {
        Project p;
        path = Path.GetFullPath(path);
        if (projects.TryGetValue(path, out p)) return p;
        projects[path] = p = new Project { Path = path, Folder = Path.GetDirectoryName(path) };
        if (!File.Exists(path)) return p;
        bool implicitly = false;
        foreach (var d in Settings(path)) {
            implicitly |= Named(d, "ImplicitUsings").Any(e => e.Value.Trim() == "enable" || e.Value.Trim() == "true");
            foreach (var e in Named(d, "Using").Where(e => e.Attribute("Include") != null)) {
                var s = (string)e.Attribute("Static") == "true" ? "static " : "";
                var a = (string)e.Attribute("Alias");
                p.Usings.Add(s + (a == null ? "" : a + " = ") + e.Attribute("Include").Value);
            }
            foreach (var e in Named(d, "DefineConstants")) p.Defines.AddRange(e.Value.Split(';').Where(x => !x.Contains("$") && x != ""));
        }
        if (implicitly) p.Usings.AddRange(new[] { "System", "System.IO", "System.Linq", "System.Net.Http", "System.Threading", "System.Threading.Tasks", "System.Collections.Generic" });
        foreach (var e in Named(XDocument.Load(path), "ProjectReference").Where(e => e.Attribute("Include") != null))
            p.Refers.Add(Read(Path.Combine(p.Folder, e.Attribute("Include").Value.Replace('\\', '/'))));
        return p;
    }

    static CSharpCompilation Compile(Project p, List<MetadataReference> platform) {
        if (p.Compiled != null) return p.Compiled;
        p.Compiled = CSharpCompilation.Create("empty");
        var refs = platform.ToList();
        var seen = new HashSet<Project>();
        Action<Project> add = null;
        add = x => { foreach (var y in x.Refers) if (seen.Add(y)) { refs.Add(Compile(y, platform).ToMetadataReference()); add(y); } };
        add(p);
        var options = new CSharpParseOptions(LanguageVersion.Preview, DocumentationMode.None, SourceCodeKind.Regular,
            p.Defines.Concat(new[] { "NET", "NETCOREAPP", "NET5_0_OR_GREATER", "NET6_0_OR_GREATER", "NETSTANDARD2_0_OR_GREATER", "NETCOREAPP3_1_OR_GREATER", "DEBUG", "TRACE" }));
        var trees = p.Files.Select(f => CSharpSyntaxTree.ParseText(File.ReadAllText(f), options, f)).ToList();
        if (p.Usings.Count > 0) trees.Add(CSharpSyntaxTree.ParseText(string.Concat(p.Usings.Distinct().Select(u => "global using " + u + ";\n")), options, ""));
        return p.Compiled = CSharpCompilation.Create(p.Path.Replace(root, "").Replace('/', '_'), trees, refs,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, metadataImportOptions: MetadataImportOptions.Public)
                .WithSpecificDiagnosticOptions(new Dictionary<string, ReportDiagnostic>()));
    }

    static string Place(SyntaxTree t, int start) {
        var text = t.GetText();
        var line = text.Lines.GetLineFromPosition(start);
        var before = text.ToString(Microsoft.CodeAnalysis.Text.TextSpan.FromBounds(line.Start, start));
        return t.FilePath.Substring(root.Length + 1) + "\t" + (line.LineNumber + 1) + "\t" + (Encoding.UTF8.GetByteCount(before) + 1);
    }

    static SyntaxToken? NameOf(SyntaxNode n) {
        if (n is BaseTypeDeclarationSyntax) return ((BaseTypeDeclarationSyntax)n).Identifier;
        if (n is DelegateDeclarationSyntax) return ((DelegateDeclarationSyntax)n).Identifier;
        if (n is MethodDeclarationSyntax) return ((MethodDeclarationSyntax)n).Identifier;
        if (n is PropertyDeclarationSyntax) return ((PropertyDeclarationSyntax)n).Identifier;
        if (n is EventDeclarationSyntax) return ((EventDeclarationSyntax)n).Identifier;
        if (n is VariableDeclaratorSyntax) return ((VariableDeclaratorSyntax)n).Identifier;
        if (n is EnumMemberDeclarationSyntax) return ((EnumMemberDeclarationSyntax)n).Identifier;
        if (n is ParameterSyntax) return ((ParameterSyntax)n).Identifier;
        if (n is ConstructorDeclarationSyntax) return NameOf(n.Parent);
        return null;
    }

    static string Declared(ISymbol s) {
        if (s is INamespaceSymbol) return "external";
        if (s is IAliasSymbol) s = ((IAliasSymbol)s).Target;
        if (s is ILocalSymbol || s is IParameterSymbol || s is ITypeParameterSymbol || s is IRangeVariableSymbol || s is ILabelSymbol || s is IDiscardSymbol) return "local";
        var m = s as IMethodSymbol;
        if (m != null && m.MethodKind == MethodKind.LocalFunction) return "local";
        if (m != null && m.ReducedFrom != null) s = m.ReducedFrom;
        if (m != null && (m.MethodKind == MethodKind.Constructor || m.MethodKind == MethodKind.StaticConstructor)) s = m.ContainingType;
        if (m != null && m.AssociatedSymbol != null) s = m.AssociatedSymbol;
        s = s.OriginalDefinition;
        if (s is IMethodSymbol && ((IMethodSymbol)s).PartialImplementationPart != null) s = ((IMethodSymbol)s).PartialImplementationPart;
        if (s is INamedTypeSymbol && ((INamedTypeSymbol)s).IsAnonymousType || s.ContainingType != null && s.ContainingType.IsAnonymousType) return "local";
        var places = s.DeclaringSyntaxReferences.Where(r => r.SyntaxTree.FilePath != "").ToList();
        if (places.Count == 0) return "external";
        var all = new List<string>();
        foreach (var r in places) {
            var name = NameOf(r.GetSyntax());
            if (name == null) return "unknown";
            all.Add(Place(r.SyntaxTree, name.Value.SpanStart));
        }
        return all[0] + "\t" + s.Kind + (all.Count > 1 ? "\t" + string.Join("\t", all.Skip(1)) : "");
    }

    static bool IsUnder(string f, string dir) { return f.StartsWith(dir + "/"); }

    // Roslyn asks for a System.Collections.Immutable that is newer than the runtime's, which does.
    static void Main(string[] args) {
        System.Runtime.Loader.AssemblyLoadContext.Default.Resolving += (c, n) =>
            c.LoadFromAssemblyPath(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location), n.Name + ".dll"));
        Print(args);
    }

    static void Print(string[] args) {
        root = Path.GetFullPath(args[0]).TrimEnd('/');
        var platform = Directory.GetFiles(Path.GetDirectoryName(typeof(object).Assembly.Location), "*.dll")
            .Where(f => { try { System.Reflection.AssemblyName.GetAssemblyName(f); return true; } catch (BadImageFormatException) { return false; } })
            .Select(f => (MetadataReference)MetadataReference.CreateFromFile(f)).ToList();
        foreach (var f in Directory.GetFiles(root, "*.csproj", SearchOption.AllDirectories)) Read(f);
        var list = projects.Values.Where(p => File.Exists(p.Path)).ToList();
        foreach (var f in Directory.GetFiles(root, "*.cs", SearchOption.AllDirectories).OrderBy(f => f, StringComparer.Ordinal)) {
            if (f.Contains("/obj/") || f.Contains("/bin/")) continue;
            var own = list.Where(p => IsUnder(f, p.Folder)).OrderByDescending(p => p.Folder.Length).FirstOrDefault();
            if (own != null) own.Files.Add(f);
        }
        var o = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
        foreach (var p in list) {
            var c = Compile(p, platform);
            foreach (var tree in c.SyntaxTrees.Where(t => t.FilePath != "")) {
                var model = c.GetSemanticModel(tree);
                foreach (var n in tree.GetRoot().DescendantNodes().OfType<SimpleNameSyntax>()) {
                    if (n.IsVar || n.Identifier.IsMissing || n.Ancestors().Any(a => a is NameColonSyntax)) continue;
                    if (n.Parent is BaseNamespaceDeclarationSyntax || n.Ancestors().Any(a => a is UsingDirectiveSyntax || a is BaseNamespaceDeclarationSyntax && ((BaseNamespaceDeclarationSyntax)a).Name.Span.Contains(n.Span))) continue;
                    SymbolInfo info = model.GetSymbolInfo(n);
                    var s = info.Symbol;
                    var said = s != null ? Declared(s) : info.CandidateSymbols.Length == 1 && info.CandidateReason == CandidateReason.OverloadResolutionFailure ? Declared(info.CandidateSymbols[0]) : "unknown";
                    o.Write(Place(tree, n.Identifier.SpanStart) + "\t" + n.Identifier.ValueText + "\tuse\t" + said + "\n");
                }
            }
        }
        o.Flush();
    }
}
