import { expect } from 'vitest'
import { type Import, importsApi } from '#contract/imports.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { imports as feature } from '../feature.ts'

/** Uploads and brings archives through the calls. */
export function importing(app: TestApp) {
  const queue = () => app.features.core.features.get(feature)

  async function put(visitor: SignedIn, id: string, number: number, offset: number, body: Uint8Array) {
    const init = { method: 'PUT', body: new Uint8Array(body), headers: { 'content-type': 'application/octet-stream' } }
    const response = await visitor.fetch(`/api/imports/${id}/files/${number}?offset=${offset}`, init)
    return { status: response.status, ...((await response.json()) as object) }
  }

  /** Uploads files as one archive and waits until it has been looked into. */
  async function upload(visitor: SignedIn, ...archives: Uint8Array[]): Promise<string> {
    const drafts = archives.map(({ length }, i) => ({ name: `архив-${i}.zip`, bytes: length }))
    const { id } = await visitor.call(importsApi.begin, { body: { files: drafts } })
    for (const [number, bytes] of archives.entries())
      expect(await put(visitor, id, number, 0, bytes)).toMatchObject({ status: 200 })
    await visitor.call(importsApi.finish, { params: { id } })
    await queue().idle()
    return id
  }

  async function bring(visitor: SignedIn, ...archives: Uint8Array[]): Promise<Import> {
    const id = await upload(visitor, ...archives)
    await visitor.call(importsApi.start, { params: { id } })
    return settled(visitor, id)
  }

  async function settled(visitor: SignedIn, id: string): Promise<Import> {
    await queue().idle()
    return visitor.call(importsApi.get, { params: { id } })
  }

  return { queue, put, upload, bring, settled }
}
