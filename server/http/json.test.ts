import { expect, test } from 'vitest'
import { parseJson } from './json.ts'
import { checkJsonSize, type JsonLimits } from './json-size.ts'

const limits: JsonLimits = { values: 10, textBytes: 1024 * 1024 }
const check = (text: string, most: Partial<JsonLimits> = {}) => checkJsonSize(Buffer.from(text), { ...limits, ...most })
const tooLarge = expect.objectContaining({ code: 'payload_too_large' })

test('values are counted before anything is parsed (S10.1300)', () => {
  check('[1,1,1,1,1,1,1,1,1]')
  expect(() => check('[1,1,1,1,1,1,1,1,1,1]')).toThrow(tooLarge)
  expect(() => check('[[],[],[],[]]')).not.toThrow()
  expect(() => check(`{${'"a":1,'.repeat(10)}`)).toThrow(tooLarge)
  check(JSON.stringify({ text: 'a,b,c,d,[{"\\'.repeat(20) }))
})

test('nesting is counted before anything is parsed (S10.1300)', () => {
  check(`${'['.repeat(50)}${']'.repeat(50)}`, { values: 100 })
  expect(() => check('[{'.repeat(26), { values: 100 })).toThrow('вложено слишком глубоко')
  check('[]'.repeat(90), { values: 100 })
})

test('addresses of files are not counted as text (S10.1300)', () => {
  const textBytes = 1024 * 1024
  const long = 'A'.repeat(textBytes)
  check(JSON.stringify({ url: `data:image/png;base64,${long}` }), { textBytes })
  check(`{"url":"data:image\\/png;base64,${long}"}`, { textBytes })
  for (const text of [`x${long}`, `data:\\u0041${long}`, `data:\\"${long}`])
    expect(() => check(`{"url":"${text}"}`, { textBytes })).toThrow(tooLarge)
  expect(() => check(`"data:${long}`, { textBytes })).toThrow(tooLarge)
})

test('what is not JSON is told after it was counted', async () => {
  for (const text of ['', '{', '"\\', '"data:', '[1,]', 'data:'])
    await expect(parseJson(Buffer.from(text), limits)).rejects.toThrow('в его тексте ошибка')
  expect(await parseJson(Buffer.from('{"a":["\\ud800","б"]}'), limits)).toEqual({ a: ['\ufffd', 'б'] })
})
