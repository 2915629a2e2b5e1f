import type { IncomingMessage } from 'node:http'
import { Agent } from 'node:https'
import { createSecureContext, rootCertificates } from 'node:tls'
import { createGigaChatTokens } from './gigachat-tokens.ts'
import { createParameterForms, type ParameterForms } from './parameters.ts'
import { GIGACHAT_SCOPE, GIGACHAT_TOKENS, type Profile, type ProviderKeys, profiles } from './profile.ts'
import { type Body, send } from './request.ts'

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
  if (auth !== 'gigachat') return constant(keyHeader(auth, apiKey))
  const tokens = createGigaChatTokens({
    url: new URL(tokenUrl ?? GIGACHAT_TOKENS),
    key: apiKey,
    scope: scope ?? GIGACHAT_SCOPE,
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

function keyHeader(auth: Exclude<Profile['auth'], 'gigachat'>, key: string): Record<string, string> {
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
