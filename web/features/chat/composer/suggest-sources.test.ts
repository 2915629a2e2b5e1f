import { expect, test } from 'vitest'
import { findTrigger, withoutTrigger } from './suggest-sources.ts'

const marks = ['/', '@'] as const
const find = (text: string, caret = text.length) => findTrigger(text, caret, marks)

test('a mark at the beginning asks for suggestions', () => {
  expect(find('/')).toEqual({ mark: '/', query: '' })
  expect(find('/пись')).toEqual({ mark: '/', query: 'пись' })
  expect(find('@юрист по аренде')).toEqual({ mark: '@', query: 'юрист по аренде' })
})

test('anywhere else it is just a sign', () => {
  expect(find('и/или')).toBeNull()
  expect(find('anna@mail.ru')).toBeNull()
  expect(find(' /пись')).toBeNull()
})

test('a mark that nobody answers is just a sign', () => {
  expect(findTrigger('@юрист', 6, ['/'])).toBeNull()
})

test('only what is before the caret is looked for', () => {
  expect(find('/письмо начальнику', 7)).toEqual({ mark: '/', query: 'письмо' })
  expect(find('/письмо', 0)).toBeNull()
})

test('a sentence, a new line or a space after the mark end the search', () => {
  expect(find('/ делить')).toBeNull()
  expect(find('/письмо\nдальше')).toBeNull()
  expect(find(`/${'а'.repeat(61)}`)).toBeNull()
})

test('the search itself does not stay in the text', () => {
  expect(withoutTrigger('/письмо начальнику', 7)).toBe('начальнику')
})
