import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { Grant } from './billing.ts'
import { Dispute } from './disputes.ts'
import { Attachment } from './files.ts'
import { Image } from './images.ts'
import { Model } from './models.ts'
import { OrderFilter } from './orders-admin.ts'
import { PaymentEvent } from './payment-events.ts'
import { AwaitedOrder, Order } from './payments.ts'
import { Message } from './threads.ts'
import { OwnDispute, Transaction, TransactionFilter } from './transactions.ts'
import { TranscriptionRow } from './transcriptions.ts'
import { Profile, Settings } from './users.ts'
import { UserRow } from './users-admin.ts'

test.each<[name: string, field: z.ZodMiniType, otherwise: unknown]>([
  ['the kind of an operation', Transaction.shape.kind, 'other'],
  ['the status of a dispute', OwnDispute.shape.status, 'open'],
  ['the status of a dispute for admins', Dispute.shape.status, 'open'],
  ['the kind of a grant', Grant.shape.kind, 'other'],
  ['the kind of a file', Attachment.shape.kind, 'document'],
  ['the state of a file', Attachment.shape.state, 'reading'],
  ['the status of an image', Image.shape.status, 'making'],
  ['the size of an image', Image.shape.size, 'auto'],
  ['the kind of a model', Model.shape.kind, 'embedding'],
  ['the kind of an order', Order.shape.kind, 'bundle'],
  ['the status of an order', Order.shape.status, 'pending'],
  ['why a card was declined', AwaitedOrder.shape.declineReason, 'other'],
  ['the kind of a webhook event', PaymentEvent.shape.kind, 'unknown'],
  ['the state of a webhook event', PaymentEvent.shape.state, 'waiting'],
  ['the role of a message', Message.shape.role, 'assistant'],
  ['the status of a message', Message.shape.status, 'complete'],
  ['the rating of a message', Message.shape.rating, null],
  ['the status of a recording', TranscriptionRow.shape.status, 'working'],
  ['the role of a person', UserRow.shape.role, 'user'],
  ['why a gift was withheld', Profile.shape.giftRejection, 'network'],
  ['what happens to long chats', Settings.shape.threadSummaries, 'offer'],
])('an unknown value falls back to a known value: %s', (_, field, otherwise) => {
  expect(field.parse('of-a-newer-release')).toBe(otherwise)
})

test('requests stay strict (S10.435)', () => {
  const isAccepted = (schema: z.ZodMiniType, kind: string) => schema.safeParse({ kind }).success
  for (const schema of [TransactionFilter, OrderFilter]) {
    expect([isAccepted(schema, 'bundle'), isAccepted(schema, 'of-a-newer-release')]).toEqual([true, false])
  }
  expect(isAccepted(TransactionFilter, 'other')).toBe(false)
})
