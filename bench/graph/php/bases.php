<?php
// What the types of a folder are made from, as PHP itself says when it has loaded them: "type<TAB>base", both as
// path:line, of all bases however far. What is not of the folder is made up.
//
//   php bases.php DIR > BASES.tsv
//   python3 bases.py DUMP.json BASES.tsv
error_reporting(0);
$root = realpath($argv[1]);
$files = $kinds = [];
$walk = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($root, FilesystemIterator::SKIP_DOTS));
foreach ($walk as $file) {
    $path = $file->getPathname();
    if (!str_ends_with($path, '.php') || preg_match('~/(vendor|node_modules|stubs|\.git)/~', $path)) continue;
    $text = file_get_contents($path);
    preg_match_all('~\bimplements\s+([\w\\\\,\s]+)\{~', $text, $of);
    foreach ($of[1] as $list) foreach (explode(',', $list) as $name) $kinds[basename(strtr(trim($name), '\\', '/'))] = 'interface';
    preg_match_all('~\binterface\s+\w+\s+extends\s+([\w\\\\,\s]+)\{~', $text, $of);
    foreach ($of[1] as $list) foreach (explode(',', $list) as $name) $kinds[basename(strtr(trim($name), '\\', '/'))] = 'interface';
    preg_match_all('~^\s+use\s+([\w\\\\,\s]+)[;{]~m', $text, $of);
    foreach ($of[1] as $list) foreach (explode(',', $list) as $name) $kinds[basename(strtr(trim($name), '\\', '/'))] ??= 'trait';
    $space = '';
    $tokens = PhpToken::tokenize($text);
    $found = [];
    foreach ($tokens as $i => $t) {
        if ($t->is(T_NAMESPACE) && $tokens[$i + 2]->is([T_STRING, T_NAME_QUALIFIED])) $space = $tokens[$i + 2]->text . '\\';
        if (!$t->is([T_CLASS, T_INTERFACE, T_TRAIT, T_ENUM]) || !($tokens[$i + 2] ?? null)?->is(T_STRING)) continue;
        if ($tokens[$i - 1]->is(T_DOUBLE_COLON)) continue;
        $found[] = strtolower($space . $tokens[$i + 2]->text);
    }
    foreach ($found as $name) $files[$name] ??= $path;
}
spl_autoload_register(function ($name) use (&$files, $kinds) {
    if ($path = $files[strtolower($name)] ?? null) {
        (static function ($path) { ob_start(); try { require_once $path; } catch (Throwable) {} ob_end_clean(); })($path);
        return;
    }
    $cut = strrpos($name, '\\');
    $last = $cut === false ? $name : substr($name, $cut + 1);
    $space = $cut === false ? '' : 'namespace ' . substr($name, 0, $cut) . ';';
    eval("$space " . ($kinds[$last] ?? 'class') . " $last {}");
});
$place = fn (ReflectionClass $c) => ($f = $c->getFileName()) && str_starts_with($f, "$root/") ? substr($f, strlen($root) + 1) . ':' . $c->getName() : null;
foreach (array_keys($files) as $name) {
    if ($child = pcntl_fork()) { // what does not load ends its process
        pcntl_waitpid($child, $status);
        continue;
    }
    if (!class_exists($name) && !interface_exists($name) && !trait_exists($name)) exit;
    $c = new ReflectionClass($name);
    $bases = [...array_values(class_parents($name)), ...array_values(class_implements($name))];
    for ($up = $c; $up; $up = $up->getParentClass()) $bases = [...$bases, ...$up->getTraitNames()];
    $out = $place($c) . "\t\n";
    foreach ($bases as $b) if (($to = $place(new ReflectionClass($b))) && $from = $place($c)) $out .= "$from\t$to\n";
    fwrite(STDOUT, $out);
    exit;
}
