import type { IncomingMessage } from 'node:http'
import { Agent } from 'node:https'
import { createSecureContext, rootCertificates } from 'node:tls'
import { LlmError } from './errors.ts'
import { type Profile, type ProviderKeys, profiles, SBER_TOKENS } from './profile.ts'
import { type Body, send } from './request.ts'
import { createSberTokens } from './sber-tokens.ts'

interface Call {
  headers?: Record<string, string>
  /** Called again for each repetition of the request. */
  body: () => Body
  signal: AbortSignal
}

/** The way to one provider: its address, its signature and certificates. Every request to it goes through here. */
export interface Connection {
  profile: Profile
  /** The host with its port. */
  host: string
  post: (path: string, call: Call) => Promise<IncomingMessage>
  get: (path: string, signal: AbortSignal) => Promise<IncomingMessage>
  /** The parameters that its models accept. */
  forms: ParameterForms
}

const json = { accept: 'application/json', 'content-type': 'application/json' }

export function connect(keys: Omit<ProviderKeys, 'name'>): Connection {
  const profile = profiles[keys.kind ?? 'openai']
  const base = keys.baseUrl.replace(/\/+$/, '')
  const agent = keys.ca === undefined ? undefined : agentTrusting(keys.ca)
  const more = {
    ...profile.headers,
    ...(keys.project === undefined ? {} : { 'openai-project': keys.project }),
    ...keys.headers,
  }
  const sign = createSigner(keys, profile, agent)

  async function ask(path: string, body: (() => Body) | null, signal: AbortSignal, headers: Record<string, string>) {
    const url = new URL(base + path)
    const open = (signature: Record<string, string>) =>
      send(url, { headers: { ...headers, ...signature, ...more }, body: body?.() ?? null, signal, agent })
    const signature = await sign.headers(signal)
    const response = await open(signature)
    if (response.statusCode !== 401 || !sign.renew(signature)) return response
    response.resume()
    return open(await sign.headers(signal))
  }

  return {
    profile: { ...profile, thinking: keys.thinking ?? profile.thinking },
    host: new URL(base).host,
    post: (path, { headers = {}, body, signal }) => ask(path, body, signal, { ...json, ...headers }),
    get: (path, signal) => ask(path, null, signal, { accept: json.accept }),
    forms: createParameterForms(),
  }
}

/** Trusts `ca` in addition to the usual root certificates; all other checks stay. */
function agentTrusting(ca: string): Agent {
  const secureContext = createSecureContext({ ca: [...rootCertificates, ca] })
  return new Agent({ keepAlive: true, secureContext })
}

interface Signer {
  headers: (signal: AbortSignal) => Promise<Record<string, string>>
  /** Whether another signature can replace this one, which was rejected. */
  renew: (rejected: Record<string, string>) => boolean
}

function createSigner(
  { apiKey, auth: chosen, scope, tokenUrl }: Omit<ProviderKeys, 'name'>,
  profile: Profile,
  agent: Agent | undefined,
): Signer {
  const auth = chosen ?? profile.auth
  if (apiKey === null) return constant({})
  if (auth !== 'sber') return constant(keyHeader(auth, apiKey))
  const tokens = createSberTokens({
    url: new URL(tokenUrl ?? SBER_TOKENS),
    key: apiKey,
    scope: scope ?? profile.scope ?? '',
    agent,
  })
  return {
    headers: async (signal) => ({ authorization: `Bearer ${await tokens.get(signal)}` }),
    renew: ({ authorization = '' }) => {
      tokens.drop(authorization.replace('Bearer ', ''))
      return true
    },
  }
}

const constant = (headers: Record<string, string>): Signer => ({ headers: async () => headers, renew: () => false })

function keyHeader(auth: Exclude<Profile['auth'], 'sber'>, key: string): Record<string, string> {
  switch (auth) {
    case 'bearer':
      return { authorization: `Bearer ${key}` }
    case 'api-key':
      return { authorization: `Api-Key ${key}` }
    case 'raw':
      return { authorization: key }
    default:
      return { [auth]: key }
  }
}

/** A part of a request that some models refuse. */
export interface Parameter<Form extends object = Record<string, unknown>> {
  /** The key under which its accepted form is remembered. */
  name: string
  /** What can be sent, the best first; the next is tried when a model refuses one. */
  forms: Form[]
  /** Whether an error rejects this form; by default, when it names one of its fields and is not about a size. */
  isRefused?: (text: string, form: Form) => boolean
}

export interface ParameterForms {
  /**
   * Sends a request in the form that the model is known to accept, and at once in the next form when it refuses a
   * parameter. What a model accepted is remembered for some hours.
   */
  ask: <Form extends object, Result>(
    model: string,
    parameters: Parameter<Form>[],
    send: (options: Form) => Promise<Result>,
  ) => Promise<Result>
}

const KEPT_MS = 6 * 3_600_000
const MAX_MODELS = 1000

interface AcceptedForms {
  /** The index of the accepted form, by parameter. */
  forms: Map<string, number>
  until: number
}

export function createParameterForms(now: () => number = Date.now): ParameterForms {
  const models = new Map<string, AcceptedForms>()

  function formsOf(model: string): Map<string, number> {
    const known = models.get(model)
    if (known && known.until > now()) return new Map(known.forms)
    models.delete(model)
    return new Map()
  }

  function remember(model: string, forms: Map<string, number>): void {
    const known = models.get(model)
    models.delete(model)
    // A parallel request may have stored the form of another parameter meanwhile.
    models.set(model, {
      forms: new Map([...(known?.forms ?? []), ...forms]),
      until: known?.until ?? now() + KEPT_MS,
    })
    const [oldest] = models.keys()
    if (models.size > MAX_MODELS && oldest !== undefined) models.delete(oldest)
  }

  return {
    ask: async (model, parameters, send) => {
      const forms = formsOf(model)
      const numberOf = (one: { name: string; forms: unknown[] }) =>
        Math.min(forms.get(one.name) ?? 0, one.forms.length - 1)
      let hasChanged = false
      for (;;) {
        try {
          const result = await send(Object.assign({}, ...parameters.map((one) => one.forms[numberOf(one)])))
          // Only a form that was accepted is remembered: an error may name a parameter and be about something else.
          if (hasChanged) remember(model, forms)
          return result
        } catch (error) {
          const refused = parameters.find((one) => refuses(error, one, numberOf(one)))
          if (!refused) throw error
          forms.set(refused.name, numberOf(refused) + 1)
          hasChanged = true
        }
      }
    },
  }
}

function refuses<Form extends object>(error: unknown, one: Parameter<Form>, n: number): boolean {
  const form = one.forms[n]
  if (!(error instanceof LlmError) || error.kind !== 'refused') return false
  const { status } = error.failure
  const hasNext = n < one.forms.length - 1
  if ((status !== 400 && status !== 422) || !hasNext || form === undefined) return false
  return error.says((text) => (one.isRefused ?? namesField)(text, form))
}

function namesField(text: string, form: object): boolean {
  if (/too (large|high|big)|at most|exceed|greater than|less than/i.test(text)) return false
  return Object.keys(form).some((field) => new RegExp(`(?<![a-z_])${field}(?![a-z_])`, 'i').test(text))
}
