import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ESTree, type Plugin, parseSync, transformWithOxc, Visitor } from 'vite'

/**
 * The contract as the page needs it. Schemas are taken out of a module into a copy of it, from which the module
 * exports them again; what stays are the addresses of calls, limits, labels and rules. So a screen loads schemas, and
 * zod with them, only when a form of it checks with them.
 */

const SCHEMAS = '?schemas'

interface Edit {
  start: number
  end: number
  text: string
}

interface Declaration {
  start: number
  end: number
  names: string[]
  uses: string[]
  isExported: boolean
}

export async function divideContract(source: string, file: string): Promise<{ lean: string; schemas: string }> {
  const { code } = await transformWithOxc(source, file, { lang: 'ts', sourcemap: false })
  const { program } = parseSync(file, code, { lang: 'js' })
  const { edits, identifiers } = read(program, code)
  const declared = program.body.flatMap((statement) => declarationOf(statement, identifiers) ?? [])
  const checking = withSchemas(declared)
  const exported = checking.flatMap(({ isExported, names }) => (isExported ? names : []))
  return {
    lean: `${apply(code, [...edits, ...checking.map(cut)])}\nexport { ${exported.join(', ')} } from '${file}${SCHEMAS}'\n`,
    schemas: apply(code, edits),
  }
}

/** Finds calls of `endpoint()`, what runs when the module is loaded, and where names occur. */
function read(program: ESTree.Program, code: string) {
  const edits: Edit[] = []
  const identifiers: { at: number; name: string }[] = []
  const calls: number[] = []
  let functions = 0
  let endpoints = 0
  const enter = () => void functions++
  const leave = () => void functions--
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    Identifier({ start, name }) {
      if (endpoints === 0) identifiers.push({ at: start, name })
    },
    NewExpression({ start }) {
      if (functions + endpoints === 0) calls.push(start)
    },
    CallExpression(node) {
      if (isEndpoint(node)) {
        edits.push({ start: node.start, end: node.end, text: addressOf(code, node) })
        endpoints++
      } else if (functions + endpoints === 0) calls.push(node.start)
    },
    'CallExpression:exit'(node) {
      if (isEndpoint(node)) endpoints--
    },
  }).visit(program)
  for (const { start, end } of program.body.flatMap(valuesOf)) {
    if (!calls.some((at) => at >= start && at < end)) continue
    // Nothing in the contract has an effect when it is loaded: what is unused may be left out.
    edits.push({ start, end: start, text: '/* @__PURE__ */ (() => (' }, { start: end, end, text: '))()' })
  }
  return { edits, identifiers }
}

const isEndpoint = ({ callee }: ESTree.CallExpression) => callee.type === 'Identifier' && callee.name === 'endpoint'

/** Method and path are the first two arguments; the third, with the schemas, is left out. */
function addressOf(code: string, { arguments: given }: ESTree.CallExpression): string {
  const [method, path] = given.map(({ start, end }) => code.slice(start, end))
  return `{ method: ${method}, path: ${path} }`
}

const withoutExport = (statement: ESTree.Statement) =>
  statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement

function valuesOf(statement: ESTree.Statement): ESTree.Expression[] {
  const declaration = withoutExport(statement)
  if (declaration?.type !== 'VariableDeclaration') return []
  return declaration.declarations.flatMap(({ init }) => init ?? [])
}

function declarationOf(statement: ESTree.Statement, identifiers: { at: number; name: string }[]): Declaration | null {
  const { start, end } = statement
  const names = namesIn(withoutExport(statement))
  const uses = identifiers.filter(({ at }) => at >= start && at < end).map(({ name }) => name)
  const isExported = statement.type === 'ExportNamedDeclaration'
  return names.length === 0 ? null : { start, end, names, uses, isExported }
}

function namesIn(declaration: ReturnType<typeof withoutExport>): string[] {
  if (declaration?.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []))
  const isNamed = declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration'
  return isNamed && declaration.id ? [declaration.id.name] : []
}

/** Declarations that use zod, directly or through others of the module. */
function withSchemas(declared: Declaration[]): Declaration[] {
  const found = new Set<Declaration>()
  const names = new Set(['z'])
  for (let before = -1; before < found.size; ) {
    before = found.size
    for (const declaration of declared) {
      if (!declaration.uses.some((name) => names.has(name))) continue
      found.add(declaration)
      for (const name of declaration.names) names.add(name)
    }
  }
  return [...found]
}

const cut = ({ start, end }: Declaration): Edit => ({ start, end, text: '' })

/** What lies inside an edit is not edited again. */
function apply(code: string, edits: Edit[]): string {
  let result = ''
  let done = 0
  for (const { start, end, text } of edits.sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < done) continue
    result += code.slice(done, start) + text
    done = end
  }
  return result + code.slice(done)
}

/** For the build and for development alike, so that both behave the same; in tests the page checks every answer. */
export function leanContract(): Plugin {
  return {
    name: 'lean-contract',
    enforce: 'pre',
    resolveId: {
      filter: { id: /\.ts(\?schemas)?$/ },
      // A schema module imports only schema modules; otherwise a form would load the rest of the contract with it.
      handler: (id, importer) =>
        // The dev server puts /@fs before files outside of its root.
        id.endsWith(SCHEMAS)
          ? id.replace(/^\/@fs/, '')
          : importer?.endsWith(SCHEMAS)
            ? join(dirname(importer), id) + SCHEMAS
            : null,
    },
    load: {
      filter: { id: /\/contract\/[\w-]+\.ts(\?schemas)?$/ },
      async handler(id) {
        const file = id.replace(SCHEMAS, '')
        const halves = await divideContract(await readFile(file, 'utf8'), file)
        return { code: id === file ? halves.lean : halves.schemas, moduleType: 'js', moduleSideEffects: false }
      },
    },
  }
}
