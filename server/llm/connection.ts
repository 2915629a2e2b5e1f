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
  /** Its value is a program's: a refusal is remembered only when it says that the model does not know the parameter. */
  isChosen?: boolean
}

export interface ParameterForms {
  /**
   * Sends a request in the form that the model is known to accept, and at once in the next form when it refuses a
   * parameter. What a model accepted is remembered for some hours: for all, or for the one caller who chooses values.
   */
  ask: <Form extends object, Result>(
    model: string,
    parameters: Parameter<Form>[],
    send: (options: Form) => Promise<Result>,
    caller?: string | undefined,
  ) => Promise<Result>
}

const KEPT_MS = 6 * 3_600_000
const MAX_MODELS = 1000
const MAX_CALLERS = 10_000

interface AcceptedForms {
  /** The index of the accepted form, by parameter. */
  forms: Map<string, number>
  until: number
}

/** The forms that are remembered under each key; the oldest keys are forgotten. */
function createMemory(most: number, now: () => number) {
  const known = new Map<string, AcceptedForms>()

  return {
    of: (key: string): ReadonlyMap<string, number> => {
      const found = known.get(key)
      if (found && found.until > now()) return found.forms
      known.delete(key)
      return new Map()
    },
    remember: (key: string, forms: ReadonlyMap<string, number>): void => {
      const found = known.get(key)
      known.delete(key)
      // A parallel request may have stored the form of another parameter meanwhile.
      known.set(key, {
        forms: new Map([...(found?.forms ?? []), ...forms]),
        until: found?.until ?? now() + KEPT_MS,
      })
      const [oldest] = known.keys()
      if (known.size > most && oldest !== undefined) known.delete(oldest)
    },
  }
}

export function createParameterForms(now: () => number = Date.now): ParameterForms {
  const ofModels = createMemory(MAX_MODELS, now)
  const ofCallers = createMemory(MAX_CALLERS, now)

  return {
    ask: async (model, parameters, send, caller) => {
      const key = caller === undefined ? model : `${caller} ${model}`
      const memory = caller === undefined ? ofModels : ofCallers
      const forms = new Map([...ofModels.of(model), ...(caller === undefined ? [] : ofCallers.of(key))])
      const learned = new Map<string, number>()
      const numberOf = (one: { name: string; forms: unknown[] }) =>
        Math.min(forms.get(one.name) ?? 0, one.forms.length - 1)
      for (;;) {
        try {
          const result = await send(Object.assign({}, ...parameters.map((one) => one.forms[numberOf(one)])))
          // Only a form that was accepted is remembered: an error may name a parameter and be about something else.
          if (learned.size > 0) memory.remember(key, learned)
          return result
        } catch (error) {
          const refused = parameters.find((one) => refuses(error, one, numberOf(one)))
          if (!refused) throw error
          const next = numberOf(refused) + 1
          forms.set(refused.name, next)
          if (!refused.isChosen || isAboutModel(error)) learned.set(refused.name, next)
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

const SIZES = /too (large|high|big)|at most|exceed|(greater|less) than|(above|below) (the )?(max|min)|[<>]=/i

const namesField = (text: string, form: object): boolean =>
  !SIZES.test(text) && Object.keys(form).some((field) => new RegExp(`(?<![a-z_])${field}(?![a-z_])`, 'i').test(text))

const UNKNOWN =
  /un(supported|known|recogni[sz]ed|expected)|(not|n't) (yet )?(support|permitted|allowed|accept|available|enabled|recogni[sz]e)|extra_forbidden|deprecated|no longer/i

/** The error is about a parameter that the model does not know, not about its value. */
export const namesUnknown = (text: string, form: object): boolean => UNKNOWN.test(text) && namesField(text, form)

const isAboutModel = (error: unknown): boolean => error instanceof LlmError && error.says((text) => UNKNOWN.test(text))
