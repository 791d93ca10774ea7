<?php
// The names in the PHP files below a folder: path, line, column in UTF-16 and in bytes, name, what is before. Variables
// are among them with "variables" behind the folder.
$root = $argv[1];
$variables = ($argv[2] ?? '') === 'variables';
$kinds = [T_STRING, T_NAME_QUALIFIED, T_NAME_FULLY_QUALIFIED, T_NAME_RELATIVE];
$words = ['null', 'true', 'false', 'int', 'bool', 'string', 'iterable', 'mixed', 'void', 'never', 'object', 'float', 'self', 'parent', 'define'];
$walk = new RecursiveIteratorIterator(new RecursiveCallbackFilterIterator(
    new RecursiveDirectoryIterator($root, FilesystemIterator::SKIP_DOTS),
    fn ($f) => !in_array($f->getFilename(), ['.git', 'node_modules', 'vendor'])));
foreach ($walk as $file) {
    if ($file->getExtension() !== 'php' || !$file->isFile() || $file->isLink()) continue;
    $text = file_get_contents($file->getPathname());
    if (!mb_check_encoding($text, 'UTF-8')) continue;
    $lines = explode("\n", $text);
    $path = substr($file->getPathname(), strlen($root) + 1);
    $before = [];
    $alias = false;
    $line = 1;
    $column = 0;
    foreach (PhpToken::tokenize($text) as $t) {
        if ($t->text === 'as' && $t->is(T_AS)) $alias = true; // of "use": what it is here is no use
        elseif (!$t->isIgnorable() && !$t->is(T_STRING)) $alias = false;
        $static = $t->is(T_VARIABLE) && end($before) === '::';
        if (!$alias && $t->is($kinds) || $static || $variables && $t->is(T_VARIABLE) && $t->text !== '$this') {
            $cut = strrpos($t->text, '\\');
            $skip = $static ? 1 : ($cut === false ? 0 : $cut + 1);
            $at = $column + $skip;
            $name = substr($t->text, $skip);
            if (in_array(strtolower($name), $words)) goto next;
            $utf16 = strlen(mb_convert_encoding(substr($lines[$line - 1], 0, $at), 'UTF-16LE', 'UTF-8')) / 2;
            echo "$path\t$line\t", $utf16 + 1, "\t", $at + 1, "\t$name\t", implode(' ', array_slice($before, -2)), "\n";
        }
        next:
        if (!$t->isIgnorable()) $before = array_slice([...$before, preg_replace('/\s+/', ' ', substr($t->text, 0, 20))], -2);
        $rows = substr_count($t->text, "\n");
        $line += $rows;
        $column = $rows ? strlen($t->text) - strrpos($t->text, "\n") - 1 : $column + strlen($t->text);
    }
}
