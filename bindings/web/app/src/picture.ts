// Pictures of the board as PNG.

/** Width and height of a picture in pixels. */
const PIXELS = 1000;

/** Draws an SVG picture as PNG. */
export async function toPng(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    const ratio = image.naturalHeight / image.naturalWidth || 1;
    [canvas.width, canvas.height] = [PIXELS, Math.round(PIXELS * ratio)];
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, refuse) =>
      canvas.toBlob((blob) => (blob ? done(blob) : refuse(new Error("the browser draws no PNG"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
