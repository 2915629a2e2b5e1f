import { expect, test } from 'vitest'
import { findTrigger, withoutTrigger } from './suggest-sources.ts'

const marks = ['/', '@'] as const
const find = (text: string, caret = text.length) => findTrigger(text, caret, marks)

test('a mark at the beginning of the text opens suggestions', () => {
  expect(find('/')).toEqual({ mark: '/', query: '' })
  expect(find('/пись')).toEqual({ mark: '/', query: 'пись' })
  expect(find('@юрист по аренде')).toEqual({ mark: '@', query: 'юрист по аренде' })
})

test('a mark anywhere else is plain text', () => {
  expect(find('и/или')).toBeNull()
  expect(find('anna@mail.ru')).toBeNull()
  expect(find(' /пись')).toBeNull()
})

test('a mark without a source is plain text', () => {
  expect(findTrigger('@юрист', 6, ['/'])).toBeNull()
})

test('only the text before the caret is searched for', () => {
  expect(find('/письмо начальнику', 7)).toEqual({ mark: '/', query: 'письмо' })
  expect(find('/письмо', 0)).toBeNull()
})

test('a long text, line break or space after the mark closes suggestions', () => {
  expect(find('/ делить')).toBeNull()
  expect(find('/письмо\nдальше')).toBeNull()
  expect(find(`/${'а'.repeat(61)}`)).toBeNull()
})

test('the query is removed from the text', () => {
  expect(withoutTrigger('/письмо начальнику', 7)).toBe('начальнику')
})
