import { expect, test, vi } from 'vitest'
import { aMessage } from '../testing/a-message.ts'
import {
  createEnds,
  growLiveText,
  isFollowed,
  liveTextDropper,
  noteEnd,
  putRun,
  removeRun,
  watchLiveText,
  withLiveText,
} from './runs.ts'

test('an answer is followed from its start, and known after its end (S10.490)', () => {
  const run = { kind: 'send', questionId: 'q', isDisconnected: false, isBusy: false, isStopping: false } as const
  putRun('chat', { ...run, messageId: null })
  expect(isFollowed('chat', 'a1')).toBe(false)
  putRun('chat', { ...run, messageId: 'a1' })
  expect([isFollowed('chat', 'a1'), isFollowed('chat', 'a2')]).toEqual([true, false])
  removeRun('chat')
  expect(isFollowed('chat', 'a1')).toBe(false)
  noteEnd('a1')
  expect(isFollowed('chat', 'a1')).toBe(true)
})

test('a balance is trusted unless another answer ended nearby (S10.490)', () => {
  const ends = createEnds()
  expect(ends.note('first', 1000)).toBe(true)
  expect(ends.note('second', 2000)).toBe(false)
  expect(ends.note('third', 6000)).toBe(true)
  expect([ends.has('second'), ends.has('fourth')]).toEqual([true, false])
})

const answer = (id: string, content: string) => aMessage(id, { role: 'assistant', status: 'streaming', content })
const delta = (text: string) => ({ type: 'delta', offset: text.length, text }) as const
const thought = (text: string) => ({ type: 'thought', offset: text.length, text }) as const

test('the first words and the first thought belong to the cached thread', () => {
  const empty = answer('first', '')
  expect(growLiveText(empty, delta('Слово'))).toBe(false)
  expect(growLiveText(answer('first', 'Слово'), thought('Мысль'))).toBe(false)
  expect(growLiveText(undefined, delta('Слово'))).toBe(false)
  expect(withLiveText(empty)).toBe(empty)
})

test('new text and thought are added to the message separately (S10.420)', () => {
  const message = { ...answer('grown', 'Раз'), thought: { text: 'Мысль', symbols: 0, ms: null } }
  growLiveText(message, delta('Раз два'))
  growLiveText(message, thought('Мысль дальше'))
  const { content, thought: grown } = withLiveText(message)
  expect([content, grown?.text]).toEqual(['Раз два', 'Мысль дальше'])
})

test('a fetched thread with more text wins (S10.420)', () => {
  growLiveText(answer('ahead', 'Раз'), delta('Раз два'))
  expect(withLiveText(answer('ahead', 'Раз два три')).content).toBe('Раз два три')
})

test('dropping keeps a text that has grown (S10.420)', () => {
  const message = answer('dropped', 'Раз')
  growLiveText(message, delta('Раз два'))
  const drop = liveTextDropper('dropped')
  growLiveText(message, delta('Раз два три'))
  drop()
  expect(withLiveText(message).content).toBe('Раз два три')
  liveTextDropper('dropped')()
  expect(withLiveText(message)).toBe(message)
})

test('only the text of the watched message is reported', () => {
  const onGrowth = vi.fn()
  const stop = watchLiveText('watched', onGrowth)
  growLiveText(answer('other', 'Раз'), delta('Раз два'))
  growLiveText({ ...answer('watched', 'Раз'), thought: { text: 'М', symbols: 0, ms: null } }, thought('Мысль'))
  expect(onGrowth).toHaveBeenCalledTimes(0)
  growLiveText(answer('watched', 'Раз'), delta('Раз два'))
  expect(onGrowth).toHaveBeenCalledTimes(1)
  stop()
  growLiveText(answer('watched', 'Раз'), delta('Раз два три'))
  expect(onGrowth).toHaveBeenCalledTimes(1)
})
