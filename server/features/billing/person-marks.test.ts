import { expect, test } from 'vitest'
import { normaliseEmail } from './person-marks.ts'

test('every spelling of one mailbox is the same address', () => {
  for (const spelling of [
    'farm@gmail.com',
    ' Farm@Gmail.com ',
    'f.a.r.m@gmail.com',
    'farm+1@gmail.com',
    'f.arm+a+b@googlemail.com',
  ])
    expect(normaliseEmail(spelling)).toBe('farm@gmail.com')
  for (const spelling of ['a.b@yandex.ru', 'a-b@ya.ru', 'A.B+tag@yandex.by', 'a.b@yandex.com'])
    expect(normaliseEmail(spelling)).toBe('a-b@yandex.ru')
})

test('different mailboxes stay different', () => {
  expect(normaliseEmail('a.b@example.test')).toBe('a.b@example.test')
  expect(normaliseEmail('+1@example.test')).toBe('+1@example.test')
  expect(normaliseEmail('ab@example.test')).not.toBe(normaliseEmail('a.b@example.test'))
})
