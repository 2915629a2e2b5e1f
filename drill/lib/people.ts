import { setTimeout as pause } from 'node:timers/promises'
import type { Rates } from '#contract/billing.ts'

export interface Person {
  email: string
  /** With a separate IP address for each user, as behind a proxy: otherwise all would share one limit. */
  headers: Record<string, string>
}

export const OWNER = 'owner@example.test'

/** Text models of the drill; model.ts defines their behaviour. */
export const models: Record<string, Rates & { fallbackId?: string; provider?: string }> = {
  cheap: { inputRate: 1, outputRate: 1 },
  words: { inputRate: 1.5, outputRate: 2.5 },
  dear: { inputRate: 10, outputRate: 10, fallbackId: 'cheap', provider: 'other' },
  broken: { inputRate: 1, outputRate: 1 },
  mute: { inputRate: 3, outputRate: 3, fallbackId: 'cheap', provider: 'other' },
  // One per kind of failure: the circuit of a model that fails too often opens, which must not affect the others.
  'for-busy-once': { inputRate: 2, outputRate: 2 },
  'for-cut': { inputRate: 2, outputRate: 2 },
  'for-hang': { inputRate: 2, outputRate: 2 },
  'for-comments': { inputRate: 2, outputRate: 2 },
  'for-stall': { inputRate: 2, outputRate: 2 },
  'for-refuse': { inputRate: 2, outputRate: 2 },
}
export const IMAGE_MODEL = 'brush'
export const IMAGE_PRICE = 2000

/** Signs in by an email link. All requests go to one instance, which stores the email. */
export async function signIn(at: string, origin: string, email: string, address: string): Promise<Person> {
  const headers = { 'content-type': 'application/json', origin, 'x-forwarded-for': address }
  const body = JSON.stringify({ email, callbackURL: '/' })
  const response = await fetch(`${at}/api/auth/sign-in/magic-link`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`Вход не удался: ${response.status} ${await response.text()}`)
  const link = new URL(await linkFor(at, email))
  // Sends the same request as the button on the page behind the link.
  const pressed = { origin, 'x-forwarded-for': address }
  const press = { method: 'POST', headers: pressed, body: link.searchParams, redirect: 'manual' } as const
  const opened = await fetch(at + link.pathname, press)
  const cookie = opened.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  if (!cookie.includes('session')) throw new Error(`Вход не удался: ${opened.status}`)
  return { email, headers: { cookie, origin, 'x-forwarded-for': address } }
}

async function linkFor(at: string, email: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const list = (await (await fetch(`${at}/dev/mail.json`)).json()) as { to: string; text: string }[]
    const link = list.find(({ to, text }) => to === email && text.includes('token='))?.text.match(/https?:\/\/\S+/)?.[0]
    if (link) return link
    await pause(50)
  }
  throw new Error(`Нет письма для ${email}`)
}

export async function addModels(at: string, owner: Person): Promise<void> {
  const drill = { provider: 'drill', kind: 'text' }
  const text = Object.entries(models).map(([id, rates]) => ({ ...drill, id, name: id, providerModel: id, ...rates }))
  const image = {
    ...drill,
    id: IMAGE_MODEL,
    name: 'Кисть',
    kind: 'image',
    providerModel: 'brush',
    imagePrice: IMAGE_PRICE,
  }
  for (const model of [...text, image]) {
    const headers = { ...owner.headers, 'content-type': 'application/json' }
    const added = await fetch(`${at}/api/models`, { method: 'POST', headers, body: JSON.stringify(model) })
    if (!added.ok) throw new Error(`Модель не добавлена: ${added.status} ${await added.text()}`)
  }
}
