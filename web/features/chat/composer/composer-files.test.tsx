import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Attachment, filesApi } from '#contract/files.ts'
import { later, rejection } from '#web/testing/fake-server.ts'
import { anAttachment } from '#web/testing/samples.ts'
import { draftKey, drafts } from '../state/drafts.ts'
import { canSend, field, openComposer, seeingModel } from '../testing/open-composer.tsx'

const tray = () => screen.findByRole('list', { name: 'Приложенные файлы' })
const chooseFiles = () => screen.getByLabelText<HTMLInputElement>('Файлы')
const textFile = () => new File(['Сколько продано'], 'отчёт.txt', { type: 'text/plain' })

test('a file is uploaded, priced and sent with the message (S10.630)', async () => {
  const { user, server, sent } = openComposer()
  const stored = anAttachment()
  server.on(filesApi.upload, stored)
  await user.upload(chooseFiles(), textFile())
  await waitFor(() => expect(canSend()).toBe(true))
  expect(within(await tray()).getByText(/^\+ 1\s200\sсимволов$/)).toBeTruthy()
  await user.type(field(), 'Что тут?{Enter}')
  expect(sent).toEqual([{ text: 'Что тут?', files: [stored] }])
  expect(screen.queryByRole('list', { name: 'Приложенные файлы' })).toBeNull()
})

test('a message waits for its uploading file and shows why', async () => {
  const { user, server, sent } = openComposer()
  const answer = later<Attachment>()
  server.on(filesApi.upload, () => answer.promise)
  await user.upload(chooseFiles(), textFile())
  await user.type(field(), 'Что тут?{Enter}')
  expect(sent).toEqual([])
  expect((await screen.findByRole('alert')).textContent).toBe('Файлы ещё загружаются.')
  expect(within(await tray()).getByText(/^50 % из/)).toBeTruthy()
  answer.give(anAttachment())
  await waitFor(() => expect(canSend()).toBe(true))
  await user.type(field(), '{Enter}')
  expect(sent[0]?.files.map(({ id }) => id)).toEqual(['file-1'])
})

test('a message waits for a file whose upload has not begun', async () => {
  const { user, server, sent } = openComposer()
  server.on(filesApi.upload, () => later<Attachment>().promise)
  fireEvent.change(field(), { target: { value: 'Что тут?' } })
  fireEvent.change(chooseFiles(), { target: { files: [textFile()] } })
  expect(canSend()).toBe(false)
  await user.type(field(), '{Enter}')
  expect(sent).toEqual([])
})

test('a failed upload says so in a line, its error on request (S10.1497)', async () => {
  const { user, server, sent } = openComposer()
  server.on(filesApi.upload, rejection('payload_too_large', 'Файл слишком большой.'))
  await user.upload(chooseFiles(), textFile())
  const reason = await screen.findByRole('button', { name: 'Не загружен. Почему?' })
  expect(reason.title).toBe('413: Файл слишком большой.')
  await user.click(reason)
  const dialog = await screen.findByRole('dialog', { name: 'Файл «отчёт.txt»' })
  expect(within(dialog).getByText('413: Файл слишком большой.')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Закрыть' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Повторите загрузку файла или уберите его.')
  await user.type(field(), '{Enter}')
  expect(sent).toEqual([])
  server.on(filesApi.upload, anAttachment())
  await user.click(screen.getByRole('button', { name: 'Загрузить «отчёт.txt» ещё раз' }))
  await waitFor(() => expect(canSend()).toBe(true))
  expect(screen.queryByRole('button', { name: 'Не загружен. Почему?' })).toBeNull()
})

test('a cancelled upload leaves nothing behind', async () => {
  const { user, server } = openComposer()
  const answer = later<Attachment>()
  server.on(filesApi.upload, () => answer.promise)
  await user.upload(chooseFiles(), textFile())
  await user.click(await screen.findByRole('button', { name: 'Убрать «отчёт.txt»' }))
  expect(screen.queryByRole('list')).toBeNull()
  answer.give(anAttachment())
  await user.type(field(), 'Привет')
  expect(screen.queryByRole('list')).toBeNull()
})

test('a file removed from the message is deleted', async () => {
  const { user, server, userId } = openComposer()
  server.on(filesApi.delete, { id: 'file-1' })
  drafts().write(draftKey(userId, 't1'), { text: '', files: [anAttachment()] })
  await user.click(await screen.findByRole('button', { name: 'Убрать «отчёт.txt»' }))
  expect(screen.queryByRole('list')).toBeNull()
  await waitFor(() => expect(server.calls(filesApi.delete).map(({ params }) => params.id)).toEqual(['file-1']))
})

test('an image blocks sending to a model without vision', async () => {
  const { user, sent, userId, change } = openComposer()
  drafts().write(draftKey(userId, 't1'), {
    text: 'Что тут?',
    files: [anAttachment({ kind: 'image', name: 'кот.png' })],
  })
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Модель «Умная» не видит картинок. Выберите другую или уберите картинку.',
  )
  await user.type(field(), '{Enter}')
  expect(sent).toEqual([])
  change({ chosen: { model: seeingModel, name: seeingModel.name } })
  await user.type(field(), '{Enter}')
  expect(sent).toHaveLength(1)
})

test('a model that sees images is offered by its name (S10.162)', async () => {
  const chosen: string[] = []
  const { user, userId } = openComposer({ onChooseModel: ({ id }) => chosen.push(id) })
  drafts().write(draftKey(userId, 't1'), { text: '', files: [anAttachment({ kind: 'image', name: 'кот.png' })] })
  await user.click(await screen.findByRole('button', { name: 'Выбрать «Зрячая»' }))
  expect(chosen).toEqual(['m2'])
})

test('an unsupported file is rejected, and other files are attached', async () => {
  const { server } = openComposer()
  server.on(filesApi.upload, anAttachment())
  const files = [new File(['1'], 'игра.exe'), textFile()]
  fireEvent.change(chooseFiles(), { target: { files } })
  expect(await screen.findByText('Не всё удалось приложить')).toBeTruthy()
  expect(screen.getByText(/Файл «игра.exe» не подойдёт/)).toBeTruthy()
  await waitFor(async () => expect(within(await tray()).getAllByRole('listitem')).toHaveLength(1))
})

test('a pasted image is attached, but pasted text stays text', async () => {
  const { server } = openComposer()
  server.on(filesApi.upload, anAttachment({ kind: 'image', name: 'снимок.png' }))
  const image = new File(['1'], 'снимок.png', { type: 'image/png' })
  const paste = (types: string[]) => {
    const event = createEvent.paste(field(), { clipboardData: { files: [image], types } })
    fireEvent(field(), event)
    return event.defaultPrevented
  }
  expect(paste(['text/plain', 'Files'])).toBe(false)
  expect(screen.queryByRole('list')).toBeNull()
  expect(paste(['Files'])).toBe(true)
  expect(await screen.findByRole('button', { name: 'Убрать «снимок.png»' })).toBeTruthy()
  await waitFor(() => expect(server.calls(filesApi.upload)).toHaveLength(1))
})

test('a file dropped anywhere on the page is attached', async () => {
  const { server } = openComposer()
  server.on(filesApi.upload, anAttachment())
  const dataTransfer = { files: [textFile()], types: ['Files'] }
  fireEvent.dragOver(document.body, { dataTransfer })
  expect(field().placeholder).toBe('Отпустите, чтобы приложить')
  fireEvent.drop(document.body, { dataTransfer })
  expect(field().placeholder).toBe('Напишите сообщение')
  expect(within(await tray()).getByText('отчёт.txt')).toBeTruthy()
  await waitFor(() => expect(canSend()).toBe(true))
})
