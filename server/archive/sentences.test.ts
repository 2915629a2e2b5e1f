import { expect, test } from 'vitest'
import { StorageError } from '#server/storage/storage.ts'
import { sentenceFor } from './sentences.ts'

const failed = (message: string, code: string) => Object.assign(new Error(message), { code })

test.each([
  [failed('write ENOSPC', 'ENOSPC'), 'На диске кончилось место'],
  [failed('could not extend file', '53100'), 'На диске кончилось место'],
  [new StorageError('S3 answered 403 (AccessDenied) to PUT', { code: 'AccessDenied' }), 'BACKUP_S3_'],
  [failed('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'), 'База недоступна: она не отвечает'],
  [new Error('Failed query', { cause: failed('database "x" does not exist', '3D000') }), 'такой базы нет, создайте её'],
  [new Error('Connection terminated unexpectedly'), 'База недоступна: соединение прервано'],
  [failed("EACCES: permission denied, open 'x'", 'EACCES'), 'от того же пользователя, что и сервер'],
  [new Error('Копии 2026 нет.'), 'Копии 2026 нет.'],
])('%s is a sentence for the operator (S10.564)', (error, sentence) => {
  expect(sentenceFor(error)).toContain(sentence)
})

test('an unknown error keeps its stack (S10.256)', () => {
  expect(sentenceFor(new TypeError('x is not a function'))).toMatch(/Не получилось: TypeError[\s\S]*sentences\.test/)
})
