import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.jetbrains.kotlin.cli.common.config.ContentRootsKt;
import org.jetbrains.kotlin.cli.common.CLIConfigurationKeys;
import org.jetbrains.kotlin.cli.common.messages.MessageCollector;
import org.jetbrains.kotlin.cli.jvm.compiler.*;
import org.jetbrains.kotlin.cli.jvm.config.*;
import org.jetbrains.kotlin.com.intellij.openapi.util.Disposer;
import org.jetbrains.kotlin.com.intellij.psi.*;
import org.jetbrains.kotlin.com.intellij.psi.util.PsiTreeUtil;
import org.jetbrains.kotlin.config.*;
import org.jetbrains.kotlin.descriptors.*;
import org.jetbrains.kotlin.psi.*;
import org.jetbrains.kotlin.resolve.*;
import org.jetbrains.kotlin.resolve.calls.util.FakeCallableDescriptorForObject;
import org.jetbrains.kotlin.synthetic.SyntheticJavaPropertyDescriptor;

/**
 * Prints what the Kotlin compiler says of each name, for ../java/compare.py: path, line, column, name, how it is used, then
 * path, line, column and kind of its declaration.
 *
 *   mvn -f bench/graph/kotlin dependency:copy-dependencies -DoutputDirectory=KC
 *   javac -cp 'KC/*' -d OUT bench/graph/kotlin/Gold.java
 *   java -cp OUT:'KC/*' Gold DIR FOLDER... [-cp JARS] > GOLD.tsv    the folders of sources in DIR, what they need
 *   go run ./bench/graph/dump DIR .kt > DUMP.json
 *   python3 bench/graph/java/compare.py DUMP.json GOLD.tsv [SHOW]
 */
public class Gold {
    static Path root;
    static Map<PsiFile, String> texts = new HashMap<>();

    static String place(PsiElement e) {
        PsiFile f = e.getContainingFile();
        String s = texts.computeIfAbsent(f, PsiFile::getText);
        int pos = e.getTextRange().getStartOffset(), line = 1, start = 0;
        for (int i = s.indexOf('\n'); i >= 0 && i < pos; i = s.indexOf('\n', i + 1)) { line++; start = i + 1; }
        return root.relativize(Path.of(f.getVirtualFile().getPath())) + "\t" + line + "\t" + (s.substring(start, pos).getBytes(StandardCharsets.UTF_8).length + 1);
    }
    static String declared(DeclarationDescriptor d, String name) {
        if (d instanceof FakeCallableDescriptorForObject f) d = f.getClassDescriptor();
        if (d instanceof SyntheticJavaPropertyDescriptor s) d = s.getGetMethod();
        if (d instanceof TypeParameterDescriptor) return "local";
        if (d instanceof PackageViewDescriptor || d instanceof PackageFragmentDescriptor) return "external";
        if (d instanceof ClassDescriptor c && c.isCompanionObject() && !c.getName().asString().equals(name)) d = c.getContainingDeclaration();
        PsiElement e = DescriptorToSourceUtils.descriptorToDeclaration(d.getOriginal());
        if (e == null && d instanceof ConstructorDescriptor c) e = DescriptorToSourceUtils.descriptorToDeclaration(c.getConstructedClass());
        if (e == null) return "external";
        if (e instanceof KtConstructor<?> c) e = c.getContainingClassOrObject();
        if (e instanceof KtParameter p && !p.hasValOrVar() || e instanceof KtProperty q && q.isLocal() || e instanceof KtDestructuringDeclarationEntry) return "local";
        if (e instanceof KtFunctionLiteral || e instanceof KtNamedFunction f && f.isLocal()) return "local";
        PsiElement n = e instanceof PsiNameIdentifierOwner o ? o.getNameIdentifier() : null;
        if (n == null) return "unknown";
        return place(n) + "\t" + e.getClass().getSimpleName();
    }
    public static void main(String[] args) throws Exception {
        root = Path.of(args[0]).toRealPath();
        var conf = new CompilerConfiguration();
        conf.put(CommonConfigurationKeys.MODULE_NAME, "gold");
        conf.put(CommonConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.Companion.getNONE());
        conf.put(CommonConfigurationKeys.LANGUAGE_VERSION_SETTINGS, new LanguageVersionSettingsImpl(LanguageVersion.KOTLIN_1_9, ApiVersion.KOTLIN_1_9,
            Map.of(AnalysisFlags.getSkipMetadataVersionCheck(), true, AnalysisFlags.getSkipPrereleaseCheck(), true), Map.of(LanguageFeature.MultiPlatformProjects, LanguageFeature.State.ENABLED, LanguageFeature.ContextReceivers, LanguageFeature.State.ENABLED)));
        conf.put(JVMConfigurationKeys.JDK_HOME, new File(System.getProperty("java.home")));
        for (int i = 1; i < args.length; i++) {
            if (args[i].equals("-cp")) { for (String j : args[++i].split(":")) JvmContentRootsKt.addJvmClasspathRoot(conf, new File(j)); continue; }
            String dir = root.resolve(args[i]).toString();
            ContentRootsKt.addKotlinSourceRoot(conf, dir, false, null);
            JvmContentRootsKt.addJavaSourceRoot(conf, new File(dir), null);
        }
        JvmContentRootsKt.configureJdkClasspathRoots(conf);
        var env = KotlinCoreEnvironment.createForProduction(Disposer.newDisposable("gold"), conf, EnvironmentConfigFiles.JVM_CONFIG_FILES);
        var trace = new CliBindingTrace(env.getProject());
        var result = TopDownAnalyzerFacadeForJVM.analyzeFilesWithJavaIntegration(env.getProject(), env.getSourceFiles(), trace, conf, env::createPackagePartProvider);
        BindingContext ctx = result.getBindingContext();
        PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 20), false, "UTF-8");
        int[] bad = {0, 0};
        for (KtFile f : env.getSourceFiles())
            for (KtSimpleNameExpression r : PsiTreeUtil.collectElementsOfType(f, KtSimpleNameExpression.class)) {
                String name = r.getReferencedName();
                if (r.getParent() instanceof KtInstanceExpressionWithLabel || r instanceof KtLabelReferenceExpression || !r.getText().equals(name) || !name.matches("[\\p{L}_][\\p{L}\\p{N}_]*") || name.equals("in") || name.equals("is") || name.equals("as")) continue;
                if (PsiTreeUtil.getParentOfType(r, KtPackageDirective.class) != null) continue;
                DeclarationDescriptor d = ctx.get(BindingContext.REFERENCE_TARGET, r);
                bad[0]++;
                if (d == null) { bad[1]++; continue; }
                out.println(place(r) + "\t" + name + "\t" + (PsiTreeUtil.getParentOfType(r, KtImportDirective.class) != null ? "import" : r.getParent().getParent() instanceof KtDotQualifiedExpression ? "member" : "name") + "\t" + declared(d, name));
            }
        out.flush();
        System.err.println(env.getSourceFiles().size() + " files, " + bad[0] + " names, " + bad[1] + " without a target");
    }
}
