import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { anImage } from '#web/testing/samples.ts'
import { ImageDetails } from './image-details.tsx'
import { Lightbox } from './lightbox.tsx'

const image = anImage({
  size: '1024x1024',
  status: 'ready',
  url: '/api/images/i1/file',
  thumbnailUrl: '/api/images/i1/thumbnail',
  bytes: 1000,
  charged: 2000,
})

function open(repeatPrice: number | null) {
  const nothing = () => undefined
  render(
    <Lightbox image={image} previous="i0" next={null} onShow={nothing} onClose={nothing}>
      <ImageDetails
        image={image}
        modelName="Кисть"
        repeatPrice={repeatPrice}
        onChange={nothing}
        onReshape={nothing}
        onRepeat={nothing}
        onDelete={nothing}
      />
    </Lightbox>,
  )
  return within(screen.getByRole('dialog', { hidden: true }))
}

test('the repeat button shows its price and comes after closing (S10.163)', () => {
  const dialog = open(2000)
  expect(dialog.getByRole('button', { name: /^Нарисовать ещё · 2\s000$/, hidden: true })).toBeTruthy()
  // The browser focuses the first control of a dialog.
  const [first] = dialog.getAllByRole('button', { hidden: true })
  expect(first?.getAttribute('aria-label')).toBe('Закрыть')
})

test('the description is copied into the form when its model is gone', () => {
  expect(open(null).getByRole('button', { name: 'Взять описание', hidden: true })).toBeTruthy()
})
