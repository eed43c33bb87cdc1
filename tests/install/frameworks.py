"""Prints the names that a Python file takes from a framework: a line each, sorted.

    import MODULE.NAME        from MODULE import NAME; MODULE alone if it is imported as a whole
    name NAME                 not defined in the file, not a builtin
    use MODULE.NAME           an attribute of an imported module
    keyword FUNCTION(NAME)    of a call of such a name
    class NAME                what a class of the file sets or its methods take from self
"""

import ast
import builtins
import sys

OWN = {'fnmatch', 'json', 'math', 'os'}  # of Python's library

with open(sys.argv[1], encoding='utf-8') as file:
    tree = ast.parse(file.read())
modules, defined, found = {}, set(dir(builtins)), set()
for node in ast.walk(tree):
    if isinstance(node, ast.Import):
        modules.update({name.asname or name.name: name.name for name in node.names})
        found.update(f'import {name.name}' for name in node.names if name.name not in OWN)
    elif isinstance(node, ast.ImportFrom):
        found.update(f'import {node.module}.{name.name}' for name in node.names)
        defined.update(name.name for name in node.names)
    elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        defined.add(node.name)
    elif isinstance(node, ast.arg):
        defined.add(node.arg)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        defined.add(node.id)

for cls in (node for node in tree.body if isinstance(node, ast.ClassDef)):
    inside = {node.name for node in cls.body if isinstance(node, ast.FunctionDef)}
    for node in cls.body:
        for target in getattr(node, 'targets', []):
            declared = isinstance(node.value, ast.Call) and getattr(node.value.func, 'id', '') == 'variable'
            (inside if declared else found).add(target.id if declared else f'class {target.id}')
    for node in ast.walk(cls):
        if isinstance(node, ast.Attribute) and getattr(node.value, 'id', '') == 'self' and node.attr not in inside:
            found.add(f'class {node.attr}')

for node in ast.walk(tree):
    if isinstance(node, ast.Name) and node.id not in defined and node.id not in modules:
        found.add(f'name {node.id}')
    elif isinstance(node, ast.Attribute) and modules.get(getattr(node.value, 'id', ''), 'os') not in OWN:
        found.add(f'use {modules[node.value.id]}.{node.attr}')
    elif isinstance(node, ast.Call):
        name = getattr(node.func, 'id', None) or getattr(node.func, 'attr', '')
        if name not in defined or name == 'variable':
            found.update(f'keyword {name}({key.arg})' for key in node.keywords)
print('\n'.join(sorted(found)))
