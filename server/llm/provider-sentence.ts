/** The sentence in a provider's error, for the author of a program: without addresses, keys and ids, and cut. */

const MAX_SENTENCE = 300

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Under the names that providers use: {error: {message}}, {message}, {error: ""}, {detail: [{msg}]}, a list of them. */
function messageIn(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return messageIn(value[0])
  if (!isObject(value)) return null
  for (const name of ['error', 'message', 'detail', 'msg', 'description'])
    if (value[name] !== undefined) return messageIn(value[name])
  return null
}

/** The body may be cut, and then it is no JSON: the first message in it still says what is wrong. */
function messageOf(body: string): string | null {
  try {
    return messageIn(JSON.parse(body))
  } catch {
    const quoted = /"(?:message|msg|detail)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body)?.[1]
    if (quoted !== undefined) return messageIn(parsed(quoted))
    return /^\s*[<{[]/.test(body) ? null : body
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/** What says something about the owner of this installation or its network, and nothing about the request. */
const ZONES =
  'com|net|org|ru|рф|su|by|kz|eu|us|cn|ai|io|dev|cloud|app|tech|xyz|site|local|internal|lan|svc|example|test'
const secrets = [
  /[a-z][a-z\d+.-]*:\/\/[^\s"'»)]+/gi,
  /(?<![\w.+-])[\w.+-]+@[\w.-]+/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?/g,
  /(?<![\w:])\[?(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}\]?(?::\d+)?/gi,
  new RegExp(`(?<![a-z\\d.-])[a-z\\d][a-z\\d.-]*\\.(?:${ZONES})(?![\\w.])(?::\\d+)?(?:/[^\\s"'»)]*)?`, 'gi'),
  /(?<![\w.-])(?:localhost|[a-z][\w.-]*:\d{2,5})\b/gi,
  /\b(?:Bearer|Basic|Api-Key)\s+[^\s"',;»)]+/gi,
  /\b(?:sk|pk|rk|gsk|hf|xai|sym)[-_][\w*.-]{4,}/gi,
  /\b(?:org|proj|req|key|user|acct)[-_](?=[\w*-]*[\d*])[\w*-]{4,}/gi,
  /\b(?:AIza|AQVN|AKIA)[\w*-]{6,}/g,
  /(?<![\w-])[\w-]*\*{3}[\w*-]*/g,
  /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}(?![\w-])/gi,
]

export function sentenceIn(body: string): string | null {
  const message = messageOf(body)
  if (message === null) return null
  const plain = message.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 3 * MAX_SENTENCE)
  const clean = secrets.reduce((text, secret) => text.replace(secret, '…'), plain).trim()
  if (!/\p{L}{2}/u.test(clean)) return null
  return clean.length > MAX_SENTENCE ? `${clean.slice(0, MAX_SENTENCE - 1).trimEnd()}…` : clean
}
