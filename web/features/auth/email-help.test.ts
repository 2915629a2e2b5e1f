import { expect, test } from 'vitest'
import { mailServiceOf } from './email-help.tsx'

test.each([
  ['anna@mail.ru', 'Почта Mail'],
  ['anna@bk.ru', 'Почта Mail'],
  ['anna@yandex.ru', 'Яндекс Почта'],
  ['anna@ya.ru', 'Яндекс Почта'],
  ['anna@gmail.com', 'Gmail'],
  ['anna@rambler.ru', 'Рамблер/почта'],
  ['anna@hotmail.com', 'Outlook'],
  ['anna@icloud.com', 'iCloud'],
])('%s is read in %s', (email, name) => {
  expect(mailServiceOf(email)?.name).toBe(name)
})

test('capitals and spaces around the address do not matter', () => {
  expect(mailServiceOf('Anna@Yandex.RU ')?.name).toBe('Яндекс Почта')
})

test('a company domain, a similar domain and no address have no service', () => {
  expect(mailServiceOf('anna@example.ru')).toBeNull()
  expect(mailServiceOf('anna@hotmail.ru.example.ru')).toBeNull()
  expect(mailServiceOf('anna@notmail.ru')).toBeNull()
  expect(mailServiceOf('')).toBeNull()
})

test('every service opens over https', () => {
  for (const domain of ['mail.ru', 'ya.ru', 'gmail.com', 'ro.ru', 'msn.com', 'me.com', 'pm.me', 'yahoo.com'])
    expect(mailServiceOf(`anna@${domain}`)?.url).toMatch(/^https:\/\//)
})
