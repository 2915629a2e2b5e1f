import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BundleDraft, bundlesApi } from '#contract/plans.ts'
import { api } from '#web/lib/api.ts'
import { isReloadHeld } from '#web/lib/hold-reload.ts'
import { FakeServer, later, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { FormShell } from './form-shell.tsx'
import { useForm } from './use-form.ts'

interface BundleFormProps {
  isNew?: boolean
  /** When given, the form is a dialog. */
  onClose?: () => void
}

const stored = { name: 'Малый', symbols: '1000' }

/** A form of the kit over a real schema and a real call of the contract. */
function BundleForm({ isNew = false, onClose }: BundleFormProps) {
  const form = useForm({
    draft: isNew ? { name: '', symbols: '' } : stored,
    schema: BundleDraft,
    read: ({ name, symbols }) => ({
      name,
      symbols: symbols === '' ? Number.NaN : Number(symbols),
      price: 500,
      currency: 'BYN',
    }),
    rule: ({ name, symbols }) =>
      name === 'Большой' && symbols < 100 ? { field: 'symbols', message: 'Для большого этого мало' } : null,
    save: async (body) => {
      await api(bundlesApi.create, { body })
      onClose?.()
    },
  })
  const fields = (
    <>
      <TextField label="Название" {...form.text('name')} />
      <TextField label="Сколько символов" hint="Целое число" {...form.text('symbols')} />
    </>
  )
  return onClose ? (
    <FormDialog title="Новый пакет" form={form} save="Добавить" onClose={onClose}>
      {fields}
    </FormDialog>
  ) : (
    <FormShell
      title="Пакет"
      back={{ label: 'Пакеты', href: '/admin/tokens-bundles' }}
      form={form}
      save={{ label: 'Сохранить', isNew }}
    >
      {fields}
    </FormShell>
  )
}

const saved = { id: 'b1', name: 'Малый', symbols: 1000, price: 500, currency: 'BYN', active: true, position: 0 }
const name = () => screen.getByRole('textbox', { name: 'Название' })
const symbols = () => screen.getByRole('textbox', { name: 'Сколько символов' })
const saveButton = () => screen.getByRole('button', { name: 'Сохранить' })

test('no errors are shown before the first submit', async () => {
  const server = new FakeServer()
  const { user } = render(<BundleForm isNew />)
  await user.type(symbols(), 'много')
  await user.tab()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(server.calls(bundlesApi.create)).toEqual([])
})

test('an empty form shows all errors and focuses the first', async () => {
  const server = new FakeServer().on(bundlesApi.create, saved)
  const { user } = render(<BundleForm isNew />)
  await user.click(saveButton())
  await waitFor(() => expect(document.activeElement).toBe(name()))
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    'Заполните это поле',
    'Нужно целое число',
  ])
  expect(server.calls(bundlesApi.create)).toEqual([])
})

test('an error is tied to its field together with the hint', async () => {
  const { user } = render(<BundleForm isNew />)
  await user.type(name(), 'Малый')
  await user.click(saveButton())
  await waitFor(() => expect(document.activeElement).toBe(symbols()))
  expect(symbols().getAttribute('aria-invalid')).toBe('true')
  const notes = symbols().getAttribute('aria-describedby')?.split(' ') ?? []
  expect(notes.map((id) => document.getElementById(id)?.textContent)).toEqual(['Целое число', 'Нужно целое число'])
  expect(name().getAttribute('aria-invalid')).toBeNull()
})

test('an error disappears as soon as its field is right', async () => {
  const { user } = render(<BundleForm isNew />)
  await user.click(saveButton())
  // The first wrong field is focused in the next frame: characters typed before would go to another one.
  await waitFor(() => expect(document.activeElement).toBe(name()))
  await user.type(name(), 'Малый')
  expect(screen.queryByText('Заполните это поле')).toBeNull()
  expect(screen.getByText('Нужно целое число')).toBeTruthy()
  await user.type(symbols(), '10')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a rule about several fields shows its error at its field', async () => {
  const { user } = render(<BundleForm isNew />)
  await user.type(name(), 'Большой')
  await user.type(symbols(), '99{Enter}')
  await waitFor(() => expect(document.activeElement).toBe(symbols()))
  expect(screen.getByRole('alert').textContent).toBe('Для большого этого мало')
})

test('Enter sends the fields as the contract reads them', async () => {
  const server = new FakeServer().on(bundlesApi.create, saved)
  const { user } = render(<BundleForm isNew />)
  await user.type(name(), '  Малый ')
  await user.type(symbols(), '1000{Enter}')
  await waitFor(() => expect(server.calls(bundlesApi.create)).toHaveLength(1))
  expect(server.calls(bundlesApi.create)[0]?.body).toMatchObject({ name: 'Малый', symbols: 1000, price: 500 })
})

test('a server error stands at its field until the field changes', async () => {
  const answer = rejection('bad_request', 'Поле symbols: Столько не бывает', 'symbols')
  new FakeServer().on(bundlesApi.create, answer)
  const { user } = render(<BundleForm isNew />)
  await user.type(name(), 'Малый')
  await user.type(symbols(), '5')
  await user.click(saveButton())
  expect((await screen.findByRole('alert')).textContent).toBe('400: Столько не бывает')
  await waitFor(() => expect(document.activeElement).toBe(symbols()))
  await user.keyboard('0')
  expect(screen.queryByText('400: Столько не бывает')).toBeNull()
})

test('a server error about the form stands over the button', async () => {
  new FakeServer().on(bundlesApi.create, rejection('conflict', 'Список успел измениться.'))
  const { user } = render(<BundleForm isNew />)
  await user.type(name(), 'Малый')
  await user.type(symbols(), '5{Enter}')
  expect(await screen.findByText('409: Список успел измениться.')).toBeTruthy()
  expect(name()).toHaveProperty('value', 'Малый')
  expect(saveButton()).toHaveProperty('disabled', false)
})

test('pressing save repeatedly sends once', async () => {
  const answer = later<typeof saved>()
  const server = new FakeServer().on(bundlesApi.create, () => answer.promise)
  const { user } = render(<BundleForm isNew />)
  await user.type(name(), 'Малый')
  await user.type(symbols(), '5{Enter}')
  await waitFor(() => expect(saveButton().getAttribute('aria-busy')).toBe('true'))
  expect(saveButton()).toHaveProperty('disabled', true)
  await user.click(saveButton())
  await user.type(symbols(), '{Enter}')
  await user.keyboard('{Control>}s{/Control}')
  await act(async () => answer.give(saved))
  await waitFor(() => expect(saveButton().getAttribute('aria-busy')).toBeNull())
  expect(server.calls(bundlesApi.create)).toHaveLength(1)
})

test('Ctrl + S saves from any field', async () => {
  const server = new FakeServer().on(bundlesApi.create, saved)
  const { user } = render(<BundleForm />)
  await user.type(name(), '!')
  await user.keyboard('{Control>}s{/Control}')
  await waitFor(() => expect(server.calls(bundlesApi.create)).toHaveLength(1))
  expect(server.calls(bundlesApi.create)[0]?.body.name).toBe('Малый!')
})

test('a form can be saved only after a change, and says so', async () => {
  const server = new FakeServer().on(bundlesApi.create, saved)
  const { user } = render(<BundleForm />)
  const status = screen.getByRole('status')
  expect(status.textContent).toBe('Всё сохранено')
  expect(saveButton()).toHaveProperty('disabled', true)
  await user.type(name(), '!')
  expect(status.textContent).toBe('Есть несохранённые изменения')
  await user.click(saveButton())
  await waitFor(() => expect(status.textContent).toBe('Всё сохранено'))
  expect(saveButton()).toHaveProperty('disabled', true)
  expect(server.calls(bundlesApi.create)).toHaveLength(1)
})

test('«Отменить изменения» restores the stored values and removes errors', async () => {
  const { user } = render(<BundleForm />)
  await user.clear(name())
  await user.click(saveButton())
  expect(await screen.findByRole('alert')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Отменить изменения' }))
  expect(name()).toHaveProperty('value', 'Малый')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Отменить изменения' })).toBeNull()
})

test('a link asks about unsaved changes', async () => {
  const { user, address } = render(<BundleForm />, { path: '/admin/tokens-bundles/b1' })
  await user.type(name(), '!')
  expect(isReloadHeld()).toBe(true)
  await user.click(screen.getByRole('link', { name: 'Пакеты' }))
  const dialog = screen.getByRole('dialog', { name: 'Уйти без сохранения?' })
  await user.click(within(dialog).getByRole('button', { name: 'Остаться' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(address()).toBe('/admin/tokens-bundles/b1')
  expect(name()).toHaveProperty('value', 'Малый!')
  await user.click(screen.getByRole('link', { name: 'Пакеты' }))
  await user.click(screen.getByRole('button', { name: 'Уйти без сохранения' }))
  expect(address()).toBe('/admin/tokens-bundles')
})

test('the browser asks only before closing a page with unsaved changes', async () => {
  const { user } = render(<BundleForm />)
  const isPrevented = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(isPrevented()).toBe(false)
  await user.type(name(), '!')
  expect(isPrevented()).toBe(true)
  await user.type(name(), '{Backspace}')
  expect(isPrevented()).toBe(false)
})

test('a dialog asks before closing only when something was typed', async () => {
  let closed = 0
  const { user } = render(<BundleForm isNew onClose={() => closed++} />)
  const dialog = screen.getByRole('dialog', { name: 'Новый пакет' })
  const [close] = within(dialog).getAllByRole('button', { name: 'Закрыть' })
  if (!close) throw new Error('no button to close the dialog')
  await user.click(close)
  expect(closed).toBe(1)
  await user.type(name(), 'Малый')
  await user.click(close)
  expect(closed).toBe(1)
  await user.click(screen.getByRole('button', { name: 'Остаться' }))
  expect(name()).toHaveProperty('value', 'Малый')
  await user.click(close)
  await user.click(screen.getByRole('button', { name: 'Уйти без сохранения' }))
  expect(closed).toBe(2)
})
