import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { files } from '#server/db/schema.ts'
import { ASKED, makeContract, makeContractRtf } from '#server/files/testing/make-contract.ts'
import { documents } from '#server/files/types.ts'
import { testApp } from '#server/testing/app.ts'
import { findPassages } from './retrieve.ts'
import { insertAssistant, insertIndexedFile } from './testing/insert-file.ts'

/** Contracts whose clauses have nearly the same words and refer to each other by their numbers. */

let libraryId: string
const app = await testApp()
const anna = await app.signIn()
beforeEach(async () => {
  await app.db.delete(files)
  libraryId = await insertAssistant(app, anna.user.id)
})

const paper = (name: string) => readFileSync(new URL(`../../files/testing/papers/contract.${name}`, import.meta.url))

test.each([
  ['docx', makeContract],
  ['doc', () => paper('doc')],
  ['odt', () => paper('odt')],
  ['rtf', makeContractRtf],
  ['pdf', () => paper('pdf')],
] as const)('the clause of a %s is found by its number (S10.1080, S10.1081)', async (type, make) => {
  await insertIndexedFile(app, { userId: anna.user.id, libraryId }, `договор.${type}`, make(), documents[type].mime)
  const ask = { libraryId, question: 'Что в пункте 2.1?', most: 4000 }
  const { passages, whole } = await findPassages(app.db, app.files.knowledge, ask)
  expect(whole).toBe(false)
  expect(passages[0]?.text.replace(/\s+/g, ' ')).toContain(`2.1. ${ASKED}`)
})
