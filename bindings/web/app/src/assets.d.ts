declare module "*.obf?url" {
  const url: string;
  export default url;
}
