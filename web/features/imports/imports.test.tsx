import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type ImportRow, importsApi } from '#contract/imports.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { openSilentRealtime } from '#web/testing/silent-realtime.ts'
import { resultLine, undoneLine } from './labels.ts'
import ImportScreen from './screens/import.tsx'
import { isSameUpload, rejectionReason } from './uploads.ts'

const row: ImportRow = {
  ...{ id: 'import-1', status: 'found', step: 'check', progress: 0, result: null, error: null },
  files: [{ name: 'chatgpt.zip', bytes: 2048, received: 2048, chunkBytes: 4096 }],
  found: {
    ...{
      sources: ['chatgpt'],
      chats: 812,
      messages: 9000,
      pictures: 40,
      projects: 2,
      knownProjects: 0,
      bytes: 5_000_000,
    },
    ...{ from: '2023-03-01T10:00:00.000Z', to: '2026-10-01T10:00:00.000Z', known: 0, skipped: 14 },
    ...{ missingPictures: 3, missingFiles: 0, sounds: 0, unopened: [], cutOff: [] },
  },
  createdAt: '2026-11-01T10:00:00.000Z',
}
const result = {
  ...{ added: 798, grown: 0, known: 0, messages: 8900, pictures: 37, projects: 2, documents: 0, keptProjects: 0 },
  ...{ skipped: 14, partial: 0, removed: 0, kept: 0 },
}
const show = () => {
  openSilentRealtime()
  return render(<ImportScreen />, { path: '/imports' })
}

test('what was found and what will not come is shown before (S10.887)', async () => {
  const server = new FakeServer().on(importsApi.list, [row])
  const { user } = show()
  expect(await screen.findByRole('heading', { name: 'Найдено: 812 чатов' })).toBeTruthy()
  for (const text of ['ChatGPT', '9 000', 'Повреждены, пусты или слишком велики: 14 чатов.'])
    expect(screen.getByText((shown) => shown.replaceAll('\u00a0', ' ') === text)).toBeTruthy()
  server.on(importsApi.start, { ...row, status: 'queued', step: 'store' })
  server.on(importsApi.list, [{ ...row, status: 'working', step: 'store', progress: 40 }])
  await user.click(screen.getByRole('button', { name: 'Перенести' }))
  expect(await screen.findByRole('progressbar', { name: 'Готово 40 %. Страницу можно закрыть.' })).toBeTruthy()
})

test('a file that breaks off is named before and after (S10.1129)', async () => {
  const found = { ...row.found, cutOff: [{ name: 'conversations.json', chats: 10 }] } as NonNullable<typeof row.found>
  const server = new FakeServer().on(importsApi.list, [{ ...row, found }])
  const named = (text: string) =>
    /^Файл «conversations.json» обрывается. Прочитано: 10.чатов, остального в нём нет. Скачайте архив ещё раз/.test(
      text,
    )
  const { user } = show()
  expect(await screen.findByText(named)).toBeTruthy()
  server.on(importsApi.start, { ...row, found, status: 'queued', step: 'store' })
  server.on(importsApi.list, [{ ...row, found, status: 'done', step: 'store', files: [], result }])
  await user.click(screen.getByRole('button', { name: 'Перенести' }))
  expect(await screen.findByRole('link', { name: 'К чатам' })).toBeTruthy()
  expect(screen.getByText(named)).toBeTruthy()
})

test('the report names what did not come and why (S10.889)', async () => {
  const lost = { lostPictures: 0, lostFiles: 0, lostSounds: 0 }
  new FakeServer()
    .on(importsApi.list, [{ ...row, status: 'done', step: 'store', files: [], result }])
    .on(importsApi.items, [
      { id: 'i1', title: 'Отпуск', outcome: 'skipped', reason: 'too-large', threadId: null, messages: 0, ...lost },
      {
        id: 'i2',
        title: 'Кот',
        outcome: 'added',
        reason: null,
        threadId: 'thread-2',
        messages: 2,
        ...lost,
        lostPictures: 2,
      },
    ])
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'Что и почему' }))
  expect(await screen.findByText('Чат больше 16 МБ.')).toBeTruthy()
  expect(screen.getByText((shown) => shown.startsWith('Перенесён без части вложений: 2'))).toBeTruthy()
})

test('an undo names the chats that stay (S10.891)', async () => {
  const done: ImportRow = { ...row, status: 'done', step: 'store', files: [], result }
  const server = new FakeServer()
    .on(importsApi.list, [done])
    .on(importsApi.get, { ...done, continued: { count: 1, titles: ['Ремонт'] } })
    .on(importsApi.undo, { ...done, status: 'queued', step: 'undo' })
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'Отменить перенос' }))
  expect(await screen.findByText(/«Ремонт»/)).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: /Удалить и их/ }))
  server.on(importsApi.list, [{ ...done, status: 'undone', step: 'undo', result: { ...result, removed: 798 } }])
  await user.click(screen.getAllByRole('button', { name: 'Отменить перенос' }).at(-1) as HTMLElement)
  expect(await screen.findByText(/Удалено: 798/)).toBeTruthy()
  expect(server.calls(importsApi.undo)[0]?.body).toEqual({ continued: true })
})

test('a failure says why and can be put away (S10.887)', async () => {
  const failed: ImportRow = { ...row, status: 'failed', found: null, files: [], error: 'Это не архив ZIP и не JSON.' }
  const server = new FakeServer().on(importsApi.list, [failed]).on(importsApi.delete, { id: row.id })
  const { user } = show()
  expect(await screen.findByText('Это не архив ZIP и не JSON.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Повторить' })).toBeNull()
  server.on(importsApi.list, [])
  await user.click(screen.getByRole('button', { name: 'Убрать' }))
  await expect.poll(() => screen.queryByText('Ваши переносы')).toBeNull()
})

test('an import that the server refuses is explained (S10.892)', async () => {
  new FakeServer()
    .on(importsApi.list, [])
    .on(importsApi.begin, rejection('conflict', 'Другой перенос ещё не закончен.'))
  const { user } = show()
  await user.upload(await screen.findByLabelText('Архив с чатами'), new File(['[]'], 'a.json'))
  expect(await screen.findByText(/Другой перенос ещё не закончен/)).toBeTruthy()
})

test.each([
  [[{ name: 'a.zip', size: 0 }], /пустой/],
  [[{ name: 'a.pdf', size: 5 }], /не похож на архив/],
  [[{ name: 'a.zip', size: 3 * 1024 ** 3 }], /больше 2 ГБ/],
  [
    [
      { name: 'a.ZIP', size: 5 },
      { name: 'b.json', size: 5 },
    ],
    null,
  ],
])('%j', (files, reason) => {
  if (reason === null) expect(rejectionReason(files)).toBeNull()
  else expect(rejectionReason(files)).toMatch(reason)
})

test('files that came into known projects are counted (S10.816)', () => {
  const nothing = { ...result, added: 0, messages: 0, projects: 0, skipped: 0 }
  const plain = (text: string) => text.replaceAll('\u00a0', ' ')
  expect(plain(resultLine({ ...nothing, documents: 2 }))).toBe('Перенесено: 2 файла в прежние проекты.')
  expect(plain(undoneLine({ ...nothing, documents: 2 }))).toBe('Удалено: 2 файла из проектов.')
  expect(resultLine(nothing, 1)).toBe('Ничего нового: всё уже перенесено раньше.')
})

test('an upload that broke off is recognised by its files (S10.892)', () => {
  const uploading: ImportRow = { ...row, status: 'uploading' }
  expect(isSameUpload([{ size: 2048 }], uploading)).toBe(true)
  expect(isSameUpload([{ size: 2047 }], uploading)).toBe(false)
  expect(isSameUpload([{ size: 2048 }], row)).toBe(false)
})
