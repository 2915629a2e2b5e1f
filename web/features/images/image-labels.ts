import { FREE_STOPS } from '#contract/billing.ts'
import { changesImages } from '#contract/image-address.ts'
import type { ImageSize, ImageSkills } from '#contract/image-skills.ts'
import type { Image } from '#contract/images.ts'
import type { Model } from '#contract/models.ts'
import { formatNumber, formatSymbols, plural } from '#web/lib/format.ts'

/** Visible image models with a price; administrators' lists contain hidden models too. */
export function drawingModels<Given extends Model>(models: readonly Given[]): (Given & { imagePrice: number })[] {
  return models.filter(
    (model): model is Given & { imagePrice: number } =>
      model.kind === 'image' && !model.hidden && model.imagePrice !== null,
  )
}

export type ChangingModel = Model & { imagePrice: number; imageSkills: ImageSkills }

export const changingModels = (models: readonly (Model & { imagePrice: number })[]): ChangingModel[] =>
  models.filter((model): model is ChangingModel => changesImages(model))

/** What the model cannot do; empty for one that can everything. */
export function skillsNote({ area, examples }: ImageSkills): string {
  const cannot = [
    !area && 'Эта модель не видит выделения: всё вне его мы вернём, как было.',
    examples === 0 && 'Образцы она не учитывает.',
  ]
  return cannot.filter(Boolean).join(' ')
}

export const countImages = (n: number) => `${formatNumber(n)} ${plural(n, 'изображение', 'изображения', 'изображений')}`

/** «4 изображения · 8 000 символов, останется 12 000»; or the balance, if it is too low. */
export function formatPrice(n: number, price: number, available: number): { text: string; isShort: boolean } {
  const cost = n * price
  const text = `${countImages(n)} · ${formatSymbols(cost)}`
  return cost > available
    ? { text: `${text}, а на балансе ${formatNumber(available)}`, isShort: true }
    : { text: `${text}, останется ${formatNumber(available - cost)}`, isShort: false }
}

export const sizeNames: Record<ImageSize, string> = {
  auto: 'Авто',
  '1024x1024': 'Квадрат',
  '1536x1024': 'Широкое',
  '1024x1536': 'Высокое',
  '1536x1152': '4:3',
  '1152x1536': '3:4',
  '1536x864': '16:9',
  '864x1536': '9:16',
}

/** «1024 × 1536» */
export const formatPixels = ({ width, height }: Pick<Image, 'width' | 'height'>) => `${width}\u00a0×\u00a0${height}`

/** Images that the provider is drawing now: cancelling them is charged. */
export const imagesAtProvider = (images: readonly Image[]) =>
  images.filter(({ status, requested }) => status === 'making' && requested)

/** «Картинка уже заказана: за неё спишется 300 символов.» */
export function cancelLabel(images: readonly Pick<Image, 'price'>[]): string {
  const price = formatSymbols(images.reduce((sum, image) => sum + (image.price ?? 0), 0))
  const what = images.length === 1 ? 'Картинка уже заказана: за неё' : 'Картинки уже заказаны: за них'
  return `${what} спишется ${price}. Первые ${FREE_STOPS} такие остановки за день бесплатны.`
}

export function cancelledLabel({ charged, free }: { charged: number; free: number | null }): string {
  if (charged > 0) return `Больше не рисуется, списано ${formatSymbols(charged)}`
  return free === null ? 'Больше не рисуется' : `Больше не рисуется. Бесплатная остановка ${free} из ${FREE_STOPS}`
}
