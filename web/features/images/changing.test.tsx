import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { imagesApi } from '#contract/images.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aChangingModel, anImage } from '#web/testing/samples.ts'
import { openSilentRealtime } from '#web/testing/silent-realtime.ts'
import { extendStroke } from './area-canvas.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { ImageTile } from './image-tile.tsx'
import type { OpenedChange } from './use-changes.ts'
import { Versions } from './versions.tsx'

const model = aChangingModel({ sizes: ['1024x1024', '1536x1024', 'auto'] })
const ready = (change: Parameters<typeof anImage>[0] = {}) =>
  anImage({ status: 'ready', url: '/api/images/i1/file', thumbnailUrl: '/api/images/i1/thumbnail', ...change })
const example = ready({ id: 'i2', prompt: 'Пёс' })

beforeEach(() => localStorage.clear())

function open(opened: Partial<OpenedChange> = {}, available = 10_000) {
  const server = new FakeServer()
    .on(imagesApi.get, ready())
    .on(imagesApi.list, [ready(), example])
    .on(imagesApi.area, { area: [{ type: 'rectangle', x: 0, y: 0, width: 5000, height: 5000 }] })
    .on(imagesApi.change, anImage({ id: 'i9', parentId: 'i1', origin: 'changed' }))
  const onStarted = vi.fn()
  const nothing = () => undefined
  const props = { imageId: 'i1', ...opened, userId: 'anna', models: [model], available, onClose: nothing, onStarted }
  return { server, onStarted, ...render(<ChangeDialog {...props} maySpend={async () => true} />) }
}

const description = () => screen.findByRole('textbox', { name: 'Что изменить', hidden: true })
const button = (name: RegExp | string) => screen.getByRole('button', { name, hidden: true })

test('a description, a rectangle by numbers and an example are sent together (S10.835, S10.1603)', async () => {
  const { server, user, onStarted } = open()
  await user.type(await description(), 'Синий фон')
  await user.click(button('Прямоугольник'))
  await user.click(button('Отметить'))
  await user.click(await screen.findByRole('button', { name: 'Образец: Пёс', hidden: true }))
  expect(screen.getByText(/Изменится только отмеченное/)).toBeTruthy()
  await user.click(button(/^Изменить · 700$/))
  await waitFor(() => expect(onStarted).toHaveBeenCalled())
  expect(server.calls(imagesApi.change)[0]?.body).toMatchObject({
    prompt: 'Синий фон',
    modelId: 'brush',
    size: 'auto',
    area: [{ type: 'rectangle', x: 2500, y: 2500, width: 5000, height: 5000 }],
    exampleIds: ['i2'],
    most: 700,
  })
})

test('the marks are taken away by a button with a name (S10.1537)', async () => {
  const { user } = open()
  await description()
  expect(button('Снять выделение').hasAttribute('disabled')).toBe(true)
  await user.click(button('Прямоугольник'))
  await user.click(button('Отметить'))
  expect(screen.queryByRole('button', { name: 'Снять выделение', hidden: true })?.textContent).toBe('Снять выделение')
  await user.click(button('Снять выделение'))
  expect(screen.getByText(/^Вся картинка/)).toBeTruthy()
})

test('strokes, undo and inversion are steps of the area', async () => {
  const { server, user } = open()
  await user.type(await description(), 'Синий')
  const canvas = screen.getByTestId('area')
  canvas.setPointerCapture = () => undefined
  canvas.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100)
  fireEvent.pointerDown(canvas, { button: 0, pointerId: 1, clientX: 10, clientY: 20 })
  fireEvent.pointerMove(canvas, { pointerId: 1, clientX: 50, clientY: 50 })
  fireEvent.pointerUp(canvas, { pointerId: 1 })
  await user.click(button('Наоборот'))
  await user.click(button('Наоборот'))
  await user.click(button('Отменить последнее движение'))
  await user.click(button(/^Изменить/))
  await waitFor(() => expect(server.calls(imagesApi.change)).toHaveLength(1))
  expect(server.calls(imagesApi.change)[0]?.body.area).toEqual([
    { type: 'stroke', width: 800, erases: false, points: [1000, 2000, 5000, 5000] },
    { type: 'invert' },
  ])
})

test('a failed change opens again with description, area and examples (S10.826)', async () => {
  const failed = anImage({
    id: 'i5',
    status: 'failed',
    prompt: 'Красный',
    parentId: 'i1',
    hasArea: true,
    exampleIds: ['i2'],
  })
  open({ retried: failed })
  expect(((await description()) as HTMLTextAreaElement).value).toBe('Красный')
  expect(screen.getByText(/Изменится только отмеченное/)).toBeTruthy()
  expect(screen.getByText('1 из 2')).toBeTruthy()
})

test('too few symbols are named before, with a link', async () => {
  const { user } = open({}, 100)
  await user.type(await description(), 'Синий')
  expect(screen.getByText(/Нужно 700 символов, а на балансе 100/)).toBeTruthy()
  expect(button(/^Изменить/)).toHaveProperty('disabled', true)
})

test('what was typed is still there after closing', async () => {
  const { user, unmount } = open()
  await user.type(await description(), 'Синий')
  unmount()
  open()
  expect(((await description()) as HTMLTextAreaElement).value).toBe('Синий')
})

test('other proportions are drawn without an area (S10.840)', async () => {
  const { server, user } = open({ isReshaping: true })
  expect(((await description()) as HTMLTextAreaElement).value).toMatch(/^Продолжи картинку/)
  expect(screen.queryByTestId('area')).toBeNull()
  expect(screen.queryByRole('radio', { name: 'Прежняя', hidden: true })).toBeNull()
  await user.click(button(/^Дорисовать · 700$/))
  await waitFor(() => expect(server.calls(imagesApi.change)).toHaveLength(1))
  // The image is square already.
  expect(server.calls(imagesApi.change)[0]?.body).toMatchObject({ size: '1536x1024', area: null })
})

test('versions are a strip from which one goes back (S10.830)', async () => {
  const second = ready({ id: 'i3', prompt: 'Синий фон', parentId: 'i1', origin: 'changed' })
  const failed = anImage({ id: 'i4', status: 'failed', parentId: 'i3', origin: 'changed' })
  new FakeServer().on(imagesApi.versions, [ready(), second, failed])
  const [onShow, onRetry] = [vi.fn(), vi.fn()]
  const { user } = render(
    <Versions image={second} awaited={null} onShow={onShow} onArrive={onShow} onRetry={onRetry} />,
  )
  expect((await screen.findByRole('button', { name: 'Версия 2: Синий фон' })).getAttribute('aria-current')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Вернуться' }))
  expect(onShow).toHaveBeenCalledWith('i1')
  await user.click(screen.getByRole('button', { name: /Версия 3/ }))
  expect(onRetry).toHaveBeenCalledWith(failed)
})

test('a tile shows unfinished images as they come (S10.829)', async () => {
  const publish = openSilentRealtime()
  const nothing = () => undefined
  const actions = { onOpen: nothing, onRepeat: nothing, onChange: nothing, onDelete: nothing, onToggle: nothing }
  const image = anImage({ id: 'i7', status: 'making', prompt: 'Кот' })
  render(<ImageTile image={image} isSelected={false} isChoosing={false} repeatPrice={() => null} {...actions} />)
  expect(document.querySelector('img')).toBeNull()
  for (const url of ['data:image/webp;base64,AAAA', 'data:image/webp;base64,BBBB']) {
    act(() => publish({ topic: 'images', type: 'partial', data: { id: 'i7', url } }))
    expect(document.querySelector('img')?.getAttribute('src')).toBe(url)
  }
})

test('points that are too near do not lengthen a stroke', () => {
  const stroke = { type: 'stroke' as const, width: 100, erases: false, points: [0, 0] }
  expect(extendStroke([stroke], { x: 5, y: 5 })).toEqual([stroke])
  expect(extendStroke([stroke], { x: 50, y: 5 })).toEqual([{ ...stroke, points: [0, 0, 50, 5] }])
})
