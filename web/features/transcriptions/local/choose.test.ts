import { expect, test } from 'vitest'
import { rejectionReason } from './choose.ts'

test.each([
  [{ name: 'a.mp3', size: 10, type: '' }, null],
  [{ name: 'голос', size: 10, type: 'audio/ogg' }, null],
  [{ name: 'a.MP4', size: 10, type: '' }, null],
  [{ name: 'a.mp3', size: 0, type: 'audio/mpeg' }, /пустой/],
  [{ name: 'a.wav', size: 600 * 1024 * 1024, type: 'audio/wav' }, /больше 500 МБ/],
  [{ name: 'a.pdf', size: 10, type: 'application/pdf' }, /не похож на запись/],
])('%j', (file, words) => {
  const reason = rejectionReason(file)
  if (words === null) expect(reason).toBeNull()
  else expect(reason).toMatch(words)
})
