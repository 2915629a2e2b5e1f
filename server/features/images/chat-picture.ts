import { fillPath } from '#contract/endpoint.ts'
import { IMAGE_FILE } from '#contract/image-address.ts'
import type { Db } from '#server/db/client.ts'
import { images } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Ctx, Publish } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { Llm } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Storage } from '#server/storage/storage.ts'
import { release, settle, settleStop } from '../billing/ledger.ts'
import type { Meter, TakeHold } from '../billing/meter.ts'
import type { ModelRow } from '../models/models.ts'
import { rejection } from './create.ts'
import { DROPPED_IMAGE_NOTE, IMAGE_NOTE } from './finish.ts'
import { publishImage } from './rows.ts'
import { deleteStoredImage, type StoredImage, storeImage } from './stored-image.ts'

export interface ChatImageDeps {
  providers: Providers
  storage: Storage
}

export interface ChatPicture {
  /** The key of the hold. */
  key: string
  userId: string
  threadId: string
  messageId: string
  model: ModelRow
  prompt: string
  price: number
}

/**
 * A picture as an answer: whoever listens hears its address when it is drawn and kept. The price is held before and
 * charged with the row of the picture, in the transaction that ends the answer. Stopped after the order it costs its
 * price, but for the first stops of a day; a picture that did not come about is free.
 */
export async function openChatPicture(
  { providers, storage }: ChatImageDeps,
  { db: outer, publish }: Pick<Ctx, 'db' | 'publish'>,
  order: ChatPicture,
  takeHold: TakeHold,
): Promise<{ say: Llm; meter: Meter }> {
  const outcome = await takeHold(order.price)
  if (outcome === 'repeated') throw new AppError('conflict', 'Этот запрос уже выполняется или выполнен.')
  if (outcome !== 'held') throw rejection(outcome)
  const { model, prompt } = order
  const id = newId()
  let kept: StoredImage | null = null
  let isTranscribed = false

  return {
    say: async (_, signal, onText) => {
      const request = { model: model.providerModel, prompt, size: 'auto' as const, seed: id, userId: order.userId }
      const drawn = await providers.draw(model.provider)(request, signal)
      kept = await storeImage(storage, id, drawn)
      onText(asMarkdown(id, prompt))
      return { reason: 'stop', usage: null }
    },
    meter: {
      limit: null,
      cover: async (piece) => {
        isTranscribed = true
        return piece
      },
      forget: () => {
        isTranscribed = false
      },
      lower: () => undefined,
      settle: async (db = outer, { isEarlyStop } = { isEarlyStop: false }) => {
        const picture = isTranscribed ? kept : null
        if (picture) return { charged: await charge(db, publish, order, id, picture), freeStop: null }
        if (kept) void deleteStoredImage(storage, kept)
        if (isEarlyStop) return chargeStopped(db, order)
        await release(db, order.key)
        return { charged: 0, freeStop: null }
      },
    },
  }
}

/** It was ordered: its price is paid, but for the first stops of a day. */
async function chargeStopped(db: Db, { key, threadId, messageId, model, price }: ChatPicture) {
  const details = { modelId: model.id, threadId, messageId, note: DROPPED_IMAGE_NOTE }
  const { charged, freeStop } = await settleStop(db, key, price, details)
  return { charged: charged ?? 0, freeStop }
}

async function charge(db: Db, publish: Publish, order: ChatPicture, id: string, kept: StoredImage): Promise<number> {
  const { key, userId, threadId, messageId, model, prompt, price } = order
  const outcome = await settle(db, key, price, { modelId: model.id, threadId, messageId, note: IMAGE_NOTE })
  // Ended before: this transaction was carried out, and only the word of it was lost.
  if (outcome !== 'done') return 0
  const row = {
    id,
    userId,
    batchId: id,
    place: 0,
    prompt,
    modelId: model.id,
    size: 'auto',
    threadId,
    messageId,
  } as const
  await db.insert(images).values({ ...row, ...kept, state: 'ready', price, charged: price })
  afterCommit(() => publishImage(publish, userId, id))
  return price
}

/** The description is only there for who cannot see the picture: nothing of it may be read as markup. */
function asMarkdown(id: string, prompt: string): string {
  const words = prompt.replace(/[\s[\]\\<>`*_!()]+/g, ' ').trim()
  return `![${words}](${fillPath(IMAGE_FILE, { id })})`
}
