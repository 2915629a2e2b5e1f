import { expect, test } from 'vitest'
import { mailServiceOf } from './email-help.tsx'

test.each([
  ['anna@mail.ru', 'Открыть Почту Mail'],
  ['anna@bk.ru', 'Открыть Почту Mail'],
  ['anna@yandex.ru', 'Открыть Яндекс Почту'],
  ['anna@ya.ru', 'Открыть Яндекс Почту'],
  ['anna@gmail.com', 'Открыть Gmail'],
  ['anna@rambler.ru', 'Открыть Рамблер/почту'],
  ['anna@hotmail.com', 'Открыть Outlook'],
  ['anna@icloud.com', 'Открыть почту iCloud'],
])('%s is read in another page: %s', (email, invitation) => {
  expect(mailServiceOf(email)?.invitation).toBe(invitation)
})

test('capitals and spaces around the address do not matter', () => {
  expect(mailServiceOf('Anna@Yandex.RU ')?.invitation).toBe('Открыть Яндекс Почту')
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
