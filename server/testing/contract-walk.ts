import { expect } from 'vitest'
import { api } from '#contract/api.ts'
import { type Endpoint, fillPath } from '#contract/endpoint.ts'
import type { SignedIn, TestApp } from './app.ts'
import type { Visitor } from './visitor.ts'

/** All calls of the contract. A test walks over them instead of testing each one. */
export const calls = Object.values(api).flatMap((section) => Object.values(section))

export const label = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Sends the call with ids that do not exist and an empty body. */
export function send(visitor: Visitor, { method, path, body }: Endpoint): Promise<Response> {
  const params = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'no-such-id'])
  return visitor.fetch(fillPath(path, Object.fromEntries(params)), {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}),
  })
}

/** Sends calls as a user, who signs in again when a call has ended the session. */
export function createWalker(app: TestApp) {
  let user: SignedIn | null = null
  return async (call: Endpoint): Promise<Response> => {
    user ??= await app.signIn()
    const response = await send(user, call)
    if (response.status !== 401) return response
    user = await app.signIn()
    return send(user, call)
  }
}

export const noAddress = { status: 404, code: 'not_found', message: 'Такого адреса нет.' }

export async function expectMounted(response: Response): Promise<void> {
  const body: unknown = await response.json().catch(() => null)
  expect(body).not.toMatchObject({ message: noAddress.message })
  expect(response.status).not.toBe(500)
}

export async function expectRefusal(response: Response, status: 401 | 403): Promise<void> {
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ status, code: expect.any(String), message: expect.any(String) })
}
