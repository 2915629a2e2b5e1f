type Json = Record<string, unknown>

export async function createPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  return answerOf(navigator.credentials.create({ publicKey }))
}

export async function answerWithPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  return answerOf(navigator.credentials.get({ publicKey }))
}

async function answerOf(request: Promise<Credential | null>): Promise<Json> {
  try {
    const credential = (await request) as PublicKeyCredential | null
    if (credential) return credential.toJSON() as unknown as Json
  } catch (error) {
    throw new Error(reason(error))
  }
  throw new Error(reason(null))
}

/** Browsers hide the reason on purpose: closing the window and a timeout give the same error. */
function reason(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'InvalidStateError') return 'На этом устройстве уже есть ваш ключ доступа.'
  return 'Ключ доступа не получен: окно закрыли или вышло время. Попробуйте ещё раз.'
}
