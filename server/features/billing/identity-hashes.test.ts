import { expect, test } from 'vitest'
import { normaliseEmail } from './identity-hashes.ts'

/** Addresses that arrive in one mailbox, under the first of them. */
const mailboxes: string[][] = [
  ['farm@gmail.com', 'F.a.r.m@gmail.com', 'farm+1@gmail.com', 'farm@googlemail.com', ' Farm+x+y@GoogleMail.com '],
  [
    'a-b@yandex.ru',
    'a.b@yandex.ru',
    'a-b@ya.ru',
    'A.B+1@yandex.com',
    'a.b@yandex.kz',
    'a-b@yandex.com.tr',
    'a.b@narod.ru',
  ],
  ['anna@proton.me', 'anna@protonmail.com', 'anna@pm.me', 'An.na@protonmail.ch', 'an-na+1@pm.me', 'an_na@proton.me'],
  ['anna@icloud.com', 'anna@me.com', 'anna@mac.com', 'Anna+shop@icloud.com'],
  ['anna@yahoo.com', 'anna-shop@yahoo.com', 'anna-a-b@yahoo.com', 'anna+x@yahoo.com'],
  ['anna@yahoo.co.uk', 'anna-shop@yahoo.co.uk'],
  ['anna@ymail.com', 'anna-1@ymail.com'],
  ['anna@fastmail.com', 'shop@anna.fastmail.com', 'x+y@Anna.fastmail.com', 'anna+x@fastmail.com'],
  ['anna@fastmail.fm', 'shop@anna.fastmail.fm'],
  ['anna@runbox.com', 'shop@anna.runbox.com'],
  ['anna@outlook.com', 'anna+1@outlook.com'],
  ['anna@mail.ru', 'Anna+1@mail.ru'],
  ['anna.b@example.test', 'ANNA.b@example.test', 'anna.b+x@example.test'],
]

test('all spellings of a mailbox are the same address (S10.586)', () => {
  for (const [first = '', ...others] of mailboxes)
    for (const spelling of [first, ...others]) expect([spelling, normaliseEmail(spelling)]).toEqual([spelling, first])
})

test('different mailboxes stay different (S10.586)', () => {
  const different = [
    ...['anna@mail.ru', 'anna@inbox.ru', 'anna@list.ru', 'anna@bk.ru', 'anna@internet.ru', 'an.na@mail.ru'],
    ...['anna@outlook.com', 'an.na@outlook.com', 'anna-x@outlook.com', 'anna@hotmail.com', 'anna@live.com'],
    ...[
      'anna@yahoo.com',
      'anna@yahoo.de',
      'anna@ymail.com',
      'an.na@yahoo.com',
      'anna@fastmail.com',
      'anna@fastmail.fm',
    ],
    ...['anna@icloud.com', 'an.na@icloud.com', 'anna@rambler.ru', 'anna@lenta.ru', 'anna@notfastmail.com'],
    ...['a.b@example.test', 'ab@example.test', 'a-b@example.test', '+1@example.test', 'x@a.b.fastmail.com'],
    ...['...@gmail.com', '-x@yahoo.com', 'anna@yahoo.com.evil.test', 'anna@shop.yahoo.com'],
  ]
  expect(new Set(different.map(normaliseEmail)).size).toBe(different.length)
})
