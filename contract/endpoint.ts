import type * as z from 'zod/mini'

/** `key`: a program with an API key. */
export type Who = 'anyone' | 'user' | 'admin' | 'key'
type Schema = z.ZodMiniType

interface Address {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are written as `:name`. */
  path: `/${string}`
}

interface Terms {
  who: Who
  /** One line for the API page, in Russian. */
  summary: string
  /** Whether an impersonated session may call it. By default it may call GET and nothing else. */
  impersonation?: 'allowed' | 'refused'
  /** A GET with side effects: only our own page may send it, not another site, an image or a frame. */
  effects?: true
  /**
   * Requires a proof of identity within the last minutes. With `in-call` the password or the emailed token in the body
   * is that proof, except for users who must prove by a second factor.
   */
  proof?: 'fresh' | 'in-call'
  /**
   * By default every call by which a user changes something, except deletions, requires consent to the seller's
   * documents; `unneeded` is for calls by which a user leaves, stops something or complains.
   */
  consent?: 'unneeded'
  query?: Schema
  /** JSON is parsed by `body`; the handler reads a multipart form or plain bytes itself and limits their size. */
  takes?: 'json' | 'form' | 'bytes'
  body?: Schema
}

interface FileTerms extends Terms {
  answers: 'file'
  returns?: undefined
}

interface JsonTerms extends Terms {
  /** A stream sends server-sent events; a client that does not accept them gets the JSON of `returns` at the end. */
  answers?: 'json' | 'stream'
  returns: Schema
}

export type FileEndpoint = Address & FileTerms
export type JsonEndpoint = Address & JsonTerms
export type Endpoint = FileEndpoint | JsonEndpoint

/** Declares a call once: the server mounts it, the page calls it, the API page describes it. */
export function endpoint<
  Method extends Address['method'],
  Path extends Address['path'],
  const E extends FileTerms | JsonTerms,
>(method: Method, path: Path, terms: E): { method: Method; path: Path } & E {
  return { method, path, ...terms }
}

type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type Params<E extends Endpoint> = Record<ParamName<E['path']>, string>
type Part<E, Key extends string, Name extends string, Side extends 'input' | 'output'> = E extends {
  [K in Key]: infer S extends Schema
}
  ? Record<Name, Side extends 'input' ? z.input<S> : z.output<S>>
  : unknown
type ParamsPart<E extends Endpoint> = ParamName<E['path']> extends never ? unknown : { params: Params<E> }

/** The arguments of the caller. */
export type Args<E extends Endpoint> = ParamsPart<E> &
  Part<E, 'query', 'query', 'input'> &
  Part<E, 'body', 'body', 'input'>
/** The parsed arguments of the handler. */
export type Input<E extends Endpoint> = ParamsPart<E> &
  Part<E, 'query', 'query', 'output'> &
  Part<E, 'body', 'body', 'output'>
export type Answer<E extends JsonEndpoint> = z.output<E['returns']>

export function addressOf<E extends FileEndpoint>({ path }: E, args: Args<E>): string {
  const { params, query } = args as { params?: Record<string, string>; query?: Record<string, unknown> }
  return fillPath(path, params) + queryString(query)
}

export function queryString(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))}`
}

export function fillPath(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`No parameter ${name} for ${path}`)
    return encodeURIComponent(value)
  })
}
