import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Image, type ImageChange, type ImageRequest, imagesApi, MAX_IMAGES_DELETED } from '#contract/images.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { api, apiPage } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { newId } from '#web/lib/new-id.ts'
import { isPriceRisen } from '#web/lib/price-risen.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { upload } from '#web/lib/upload.ts'
import { type ImagePage, type ImagePages, mergeImages, newest, removeImages } from './image-pages.ts'

const IMAGES = 'images'
const LISTS = [IMAGES, 'list'] as const
const VERSIONS = [IMAGES, 'versions'] as const
const PAGE = 40
/** Events may get lost; while an image is being made, it is polled. */
const POLL_MS = 15_000

/** Errors are shown in place. The last results stay until the next response. */
export const imagesQuery = (query: string) =>
  infiniteQueryOptions({
    queryKey: [...LISTS, query],
    queryFn: ({ pageParam, signal }): Promise<ImagePage> =>
      apiPage(
        imagesApi.list,
        { query: { limit: PAGE, ...(query && { query }), ...(pageParam && { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isDrawing(state.data) ? POLL_MS : false),
    meta: { silent: true },
  })

const isDrawing = (data: ImagePages | undefined) =>
  data?.pages.some(({ items }) => items.some(({ status }) => status === 'making')) === true

export const imageQuery = (id: string) =>
  callQuery([IMAGES, 'one', id], imagesApi.get, { params: { id } }, { staleTime: 5 * 60_000 })

export const versionsQuery = (id: string) =>
  callQuery([...VERSIONS, id], imagesApi.versions, { params: { id } }, { staleTime: 0 })

export const areaQuery = (id: string) => callQuery([IMAGES, 'area', id], imagesApi.area, { params: { id } })

export const imageUsageQuery = callQuery([IMAGES, 'usage'], imagesApi.usage, {})

export function cacheImages(client: QueryClient, images: readonly Image[]): void {
  for (const image of images) client.setQueryData(imageQuery(image.id).queryKey, (known) => newest(known, image))
  client.setQueryData<ImagePages>(imagesQuery('').queryKey, (pages) => pages && mergeImages(pages, images))
}

/** Always refetches: a pending request may have been answered before the event. */
export async function refetchImage(client: QueryClient, id: string): Promise<void> {
  cacheImages(client, [await api(imagesApi.get, { params: { id } })])
  void client.invalidateQueries({ queryKey: VERSIONS })
  await client.invalidateQueries({ queryKey: imageUsageQuery.queryKey })
}

export function forgetImages(client: QueryClient, ids: readonly string[]): void {
  client.setQueriesData<ImagePages>({ queryKey: LISTS }, (pages) => pages && removeImages(pages, ids))
  for (const id of ids) void client.invalidateQueries({ queryKey: imageQuery(id).queryKey })
  void client.invalidateQueries({ queryKey: VERSIONS })
  void client.invalidateQueries({ queryKey: imageUsageQuery.queryKey })
}

export function refetchImages(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: [IMAGES] })
}

/** The button names the new price when its model has become dearer. */
function refreshPrices(client: QueryClient, error: unknown): void {
  if (isPriceRisen(error)) void client.invalidateQueries(modelsQuery)
}

/** The caller shows the error. */
export function useMakeImages() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (order: Omit<ImageRequest, 'id'>) => api(imagesApi.create, { body: { ...order, id: newId() } }),
    onSuccess: (images) => cacheImages(client, images),
    onError: (error) => refreshPrices(client, error),
    meta: { silent: true },
  })
}

/** The caller shows the error. */
export function useChangeImage(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (order: Omit<ImageChange, 'id'>) =>
      api(imagesApi.change, { params: { id }, body: { ...order, id: newId() } }),
    onSuccess: (image) => {
      cacheImages(client, [image])
      void client.invalidateQueries({ queryKey: VERSIONS })
    },
    onError: (error) => refreshPrices(client, error),
    meta: { silent: true },
  })
}

/** The newest unfinished image, while the model sends them. Its id is that of the image, in a chat of the answer. */
export function usePartial(id: string): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(
    () =>
      subscribe('images', ({ type, data }) => {
        const partial = data as { id?: unknown; url?: unknown } | null
        if (type === 'partial' && partial?.id === id && typeof partial.url === 'string') setUrl(partial.url)
      }),
    [id],
  )
  return url
}

/** What the browser offers to choose; the server decides. */
export const PHOTO_TYPES = 'image/*'

export async function uploadImage(client: QueryClient, file: File): Promise<Image> {
  const form = new FormData()
  form.append('file', file)
  const image = await upload(imagesApi.upload, {}, form)
  cacheImages(client, [image])
  await client.invalidateQueries({ queryKey: imageUsageQuery.queryKey })
  return image
}

/** Returns what cancelled images cost. */
export async function deleteImages(client: QueryClient, ids: string[]): Promise<DeletionCost> {
  const cost: DeletionCost = { charged: 0, free: null }
  for (let at = 0; at < ids.length; at += MAX_IMAGES_DELETED) {
    const batch = ids.slice(at, at + MAX_IMAGES_DELETED)
    const { charged, free } = await api(imagesApi.deleteMany, { body: { ids: batch } })
    cost.charged += charged
    cost.free = free ?? cost.free
    forgetImages(client, batch)
  }
  return cost
}

export interface DeletionCost {
  charged: number
  free: number | null
}
