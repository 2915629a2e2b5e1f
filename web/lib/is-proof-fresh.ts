import { authFactorsApi } from '#contract/auth-factors.ts'
import { api } from './api.ts'

/** When this call fails too, the download goes on and the file's URL answers with the error. */
export async function isProofFresh(): Promise<boolean> {
  try {
    return (await api(authFactorsApi.proof, {})).fresh
  } catch {
    return true
  }
}
