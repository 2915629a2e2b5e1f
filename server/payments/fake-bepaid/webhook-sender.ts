import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { basicAuth } from '../gateway.ts'

export type Send = (url: string, init: RequestInit) => Promise<Response>

interface Notice {
  url: string
  body: string
}

const RETRY_PAUSES_MS = [1000, 5000, 20_000]

let keys: { publicKey: string; privateKey: KeyObject } | null = null

/** Created with the first webhook: it takes a third of a second, and most processes send no webhook. */
export function webhookKeys() {
  if (!keys) {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    keys = { publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), privateKey }
  }
  return keys
}

/** Sends signed webhooks to the shop; tests can make it lose, delay, repeat and shuffle them. */
export function createWebhookSender(options: {
  shopId: string
  secretKey: string
  send: Send
  retryPausesMs?: number[]
}) {
  const sent: Notice[] = []
  const onTheirWay = new Set<Promise<void>>()
  const mood = { lose: 0, delayMs: 0, holdBack: 0 }
  let heldBack: Notice[] = []

  const headersOf = (body: string) => ({
    authorization: basicAuth(options.shopId, options.secretKey),
    'content-type': 'application/json',
    'content-signature': sign('sha256', Buffer.from(body), webhookKeys().privateKey).toString('base64'),
  })

  async function deliver({ url, body }: Notice): Promise<void> {
    if (mood.delayMs > 0) await pause(mood.delayMs)
    for (const wait of [...(options.retryPausesMs ?? RETRY_PAUSES_MS), null]) {
      const status = await options
        .send(url, { method: 'POST', headers: headersOf(body), body })
        .then((response) => response.status)
        .catch(() => 0)
      if (status === 200 || wait === null) return
      await pause(wait, undefined, { ref: false })
    }
  }

  function post(notice: Notice): void {
    const work = deliver(notice)
    onTheirWay.add(work)
    void work.finally(() => onTheirWay.delete(work))
  }

  return {
    publicKey: () => webhookKeys().publicKey,
    headersOf,
    mood,
    /** All webhooks, delivered or not. */
    sent,
    announce: (url: string, content: object) => {
      const notice = { url, body: JSON.stringify(content) }
      sent.push(notice)
      if (mood.lose > 0) {
        mood.lose -= 1
      } else if (mood.holdBack > 0) {
        heldBack.push(notice)
        mood.holdBack -= 1
        if (mood.holdBack > 0) return
        for (const late of heldBack.reverse()) post(late)
        heldBack = []
      } else {
        post(notice)
      }
    },
    replay: (times: number) => {
      for (let i = 0; i < times; i++) for (const notice of sent) post(notice)
    },
    /** Resolves when all webhooks so far are delivered or given up. */
    idle: async () => {
      while (onTheirWay.size > 0) await Promise.all(onTheirWay)
    },
  }
}

export type WebhookSender = ReturnType<typeof createWebhookSender>
