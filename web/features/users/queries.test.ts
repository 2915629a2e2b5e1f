import { expect, test } from 'vitest'
import { aProfile } from '#web/testing/samples.ts'
import { withChange } from './queries.ts'

const anna = aProfile({}, { image: 'data:image/webp;base64,AAAA' })

test('only changed fields are replaced', () => {
  expect(withChange(anna, { name: ' Аня ' })).toEqual({ ...anna, name: 'Аня' })
  expect(withChange(anna, { image: null })).toEqual({ ...anna, image: null })
  expect(withChange(anna, { Settings: { threadHistory: false } })).toEqual({
    ...anna,
    Settings: { ...anna.Settings, threadHistory: false },
  })
})
