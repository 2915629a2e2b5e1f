/**
 * Errors for the log. A message may quote anything: a parser quotes its input, a check its value, a database its row, a
 * service the question. So a message is written only when it is one of a list; otherwise kind, codes and stack remain.
 */

/** Properties with a name or a number that is not made of text. */
const PROPERTIES = [
  ...['code', 'kind', 'status', 'statusCode', 'outcome', 'answered', 'reason'],
  // Node and SMTP.
  ...['errno', 'syscall', 'address', 'port', 'responseCode', 'command'],
  // Postgres. `detail`, `where`, `hint` and `internalQuery` quote values.
  ...['severity', 'schema', 'table', 'column', 'constraint', 'dataType', 'routine'],
]
const NAME = /^[\w.:/-]{1,80}$/
const TYPE = /^[A-Za-z]\w{0,60}$/

const messages = new Set([
  'aborted',
  'Command timed out',
  'Connection is closed.',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'fetch failed',
  'other side closed',
  'Query read timeout',
  'socket hang up',
  'terminated',
  'The server does not support SSL connections',
  'timeout exceeded when trying to connect',
])

const MAX_CAUSES = 5

export function safeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { message, cause } = error
  const properties = error as unknown as Record<string, unknown>
  const causes = error instanceof AggregateError ? error.errors.slice(0, MAX_CAUSES) : []
  const query = queryIn(properties)
  const codes = issueCodes(properties)
  return {
    type: typeOf(error),
    ...namesIn(properties),
    ...namesIn(objectIn(properties.failure), ['service', 'status', 'code', 'requestId']),
    ...(error.name === 'ReplyError' && { code: /^[A-Z]{2,20}(?= )/.exec(message)?.[0] }),
    ...(messages.has(message) && { message }),
    ...(query && { query }),
    ...(codes && { issues: codes }),
    stack: framesOf(error),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: safeError(cause, depth + 1) }),
    ...(causes.length > 0 && depth < MAX_CAUSES && { errors: causes.map((one) => safeError(one, depth + 1)) }),
  }
}

/** For a command that ends with an error: the database quotes rows, and what else fails there is our own. */
export function printedError(error: unknown, form: 'stack' | 'message' = 'stack'): string {
  if (!(error instanceof Error)) return String(error)
  return isOfDatabase(error) ? JSON.stringify(safeError(error), null, 2) : (error[form] ?? error.message)
}

function isOfDatabase(error: unknown): boolean {
  return error instanceof Error && ('severity' in error || 'params' in error || isOfDatabase(error.cause))
}

export function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  const names = [error.name === 'Error' ? error.constructor?.name : error.name, error.name]
  return names.find((name) => typeof name === 'string' && TYPE.test(name)) ?? 'Error'
}

const objectIn = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Names) : {})
type Names = Record<string, unknown>

function namesIn(source: Names, names: readonly string[] = PROPERTIES): object {
  const found = names.flatMap((name): [string, unknown][] => {
    const value = source[name]
    return typeof value === 'number' || (typeof value === 'string' && NAME.test(value)) ? [[name, value]] : []
  })
  // Paths are of our own files; those of a system call only.
  if (typeof source.syscall === 'string' && typeof source.path === 'string') found.push(['path', source.path])
  return Object.fromEntries(found)
}

const MAX_QUERY = 2000

/** The statement of a failed query, whose values are separate from it. */
function queryIn({ query, params }: Names): string | null {
  if (typeof query !== 'string' || !Array.isArray(params)) return null
  return query.slice(0, MAX_QUERY).replace(/'[^']*'?/g, "'…'")
}

/** The kinds of problems that a check of data found, without the values and their names. */
function issueCodes({ issues }: Names): string[] | null {
  if (!Array.isArray(issues)) return null
  return issues.slice(0, 10).map((issue) => (NAME.test(String(issue?.code)) ? String(issue.code) : 'issue'))
}

const FRAME = /^ {4}at .{0,500}:\d+:\d+\)?$/
const MAX_FRAMES = 20
const roots = [process.cwd(), new URL('..', import.meta.url).pathname, 'node:']

/** The frames of our own installation. A text that looks like a stack stays out with the message. */
function framesOf({ stack, message }: Error): string {
  if (typeof stack !== 'string') return ''
  const begin = message === '' ? 0 : stack.slice(0, MAX_HEADER).indexOf(message.slice(0, MAX_HEADER / 2))
  if (begin < 0) return ''
  const lines = stack
    .slice(begin + message.length)
    .slice(0, MAX_STACK)
    .split('\n')
  return lines
    .filter((line) => FRAME.test(line) && roots.some((root) => line.includes(root)))
    .slice(0, MAX_FRAMES)
    .join('\n')
}

const MAX_HEADER = 400
const MAX_STACK = 20_000
