import type { InfiniteData } from '@tanstack/react-query'
import type { Image } from '#contract/images.ts'

/** Updates of the cached gallery pages without refetching them. */

export interface ImagePage {
  items: Image[]
  nextCursor: string | null
}

export type ImagePages = InfiniteData<ImagePage, string | null>

/** Replaces images in their pages by their newest state; new ones are put first. */
export function mergeImages(pages: ImagePages, fresh: readonly Image[]): ImagePages {
  const byId = new Map(fresh.map((image) => [image.id, image]))
  const known = new Set(pages.pages.flatMap(({ items }) => items.map(({ id }) => id)))
  const added = fresh.filter(({ id }) => !known.has(id))
  return {
    ...pages,
    pages: pages.pages.map(({ items, ...page }, index) => ({
      ...page,
      items: [...(index === 0 ? added : []), ...items.map((image) => newest(image, byId.get(image.id)))],
    })),
  }
}

/** A late response may still say «making» after the cache has the finished image. */
export function newest(known: Image | undefined, fresh: Image): Image
export function newest(known: Image, fresh: Image | undefined): Image
export function newest(known: Image | undefined, fresh: Image | undefined): Image | undefined {
  if (!known || !fresh) return fresh ?? known
  return fresh.status === 'making' ? known : fresh
}

export function removeImages(pages: ImagePages, ids: readonly string[]): ImagePages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !ids.includes(id)) })),
  }
}

export const imagesIn = (pages: Pick<ImagePages, 'pages'> | undefined): Image[] =>
  pages?.pages.flatMap(({ items }) => items) ?? []
