import { FREE_STOPS } from '#contract/billing.ts'
import type { Image, ImageSize } from '#contract/images.ts'
import type { Model } from '#contract/models.ts'
import { formatNumber, formatSymbols, plural } from '#web/lib/format.ts'

/** The models that draw and say what it costs; an administrator is given the hidden ones too. */
export function drawingModels<Given extends Model>(models: readonly Given[]): (Given & { imagePrice: number })[] {
  return models.filter(
    (model): model is Given & { imagePrice: number } =>
      model.kind === 'image' && !model.hidden && model.imagePrice !== null,
  )
}

export const countImages = (n: number) => `${formatNumber(n)} ${plural(n, 'изображение', 'изображения', 'изображений')}`

/** «4 изображения · 8 000 символов, останется 12 000»; when there is too little, how much is missing. */
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
}

/** «1024 × 1536» */
export const formatPixels = ({ width, height }: Pick<Image, 'width' | 'height'>) => `${width}\u00a0×\u00a0${height}`

/** Pictures that the provider has been asked for and that are not there yet. */
export const ordered = (images: readonly Image[]) => images.filter(({ status, asked }) => status === 'making' && asked)

/** «Картинка уже заказана: за неё спишется 300 символов.» */
export function dropLabel(images: readonly Pick<Image, 'price'>[]): string {
  const price = formatSymbols(images.reduce((sum, image) => sum + (image.price ?? 0), 0))
  const what = images.length === 1 ? 'Картинка уже заказана: за неё' : 'Картинки уже заказаны: за них'
  return `${what} спишется ${price}. Первые ${FREE_STOPS} такие остановки за день бесплатны.`
}

/** What became of it, for a moment at the edge of the page. */
export function droppedLabel({ charged, free }: { charged: number; free: number | null }): string {
  if (charged > 0) return `Больше не рисуется, списано ${formatSymbols(charged)}`
  return free === null ? 'Больше не рисуется' : `Больше не рисуется. Бесплатная остановка ${free} из ${FREE_STOPS}`
}
